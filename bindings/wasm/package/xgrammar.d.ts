// The interface of `@mlc-ai/web-xgrammar`.

type Schema = boolean | Record<string, unknown>;
type StructuralTag = string | Record<string, unknown>;

declare class Disposable {
  handle: any;
  dispose(): void;
}

export class StructuralTagItem {
  begin: string;
  schema: string | Schema;
  end: string;
  constructor(begin: string, schema: string | Schema, end: string);
  getSchemaAsString(): string;
  getSchemaAsJSON(): Schema;
}

export class Grammar extends Disposable {
  static fromEBNF(ebnfString: string, rootRule?: string): Promise<Grammar>;
  static builtinJSONGrammar(): Promise<Grammar>;
  static fromJSONSchema(schema: string, anyWhitespace?: boolean, indent?: number, separators?: [string, string], strictMode?: boolean): Promise<Grammar>;
  static fromStructuralTag(structuralTag: StructuralTag): Promise<Grammar>;
  static fromStructuralTag(tags: StructuralTagItem[], triggers: string[]): Promise<Grammar>;
  toString(): string;
}

export class TokenizerInfo extends Disposable {
  static createTokenizerInfo(encodedVocab: string[], vocabType?: 'raw' | 'byte_fallback' | 'byte_level', prependSpaceInTokenization?: boolean, vocabSize?: number, stopTokenIds?: number[] | number): Promise<TokenizerInfo>;
  getVocabSize(): number;
  getDecodedVocabHandle(): any;
}

export class CompiledGrammar extends Disposable {
  grammar(): Grammar;
  tokenizerInfo(): TokenizerInfo;
}

export class GrammarCompiler extends Disposable {
  static createGrammarCompiler(tokenizerInfo: TokenizerInfo, cacheEnabled?: boolean): Promise<GrammarCompiler>;
  compileJSONSchema(schema: string, anyWhitespace?: boolean, indent?: number, separators?: [string, string], strictMode?: boolean): Promise<CompiledGrammar>;
  compileBuiltinJSONGrammar(): Promise<CompiledGrammar>;
  compileGrammar(grammar: Grammar | string, rootRule?: string): Promise<CompiledGrammar>;
  compileStructuralTag(structuralTag: StructuralTag): Promise<CompiledGrammar>;
  compileStructuralTag(tags: StructuralTagItem[], triggers: string[]): Promise<CompiledGrammar>;
}

export class GrammarMatcher extends Disposable {
  static createGrammarMatcher(compiledGrammar: CompiledGrammar, overrideStopTokens?: number[] | number, terminateWithoutStopToken?: boolean, maxRollbackTokens?: number): Promise<GrammarMatcher>;
  getMaxRollbackTokens(): number;
  acceptToken(tokenID: number, verbose?: boolean): boolean;
  _acceptString(inputStr: string, verbose?: boolean): boolean;
  getNextTokenBitmask(): Promise<Int32Array>;
  isTerminated(): boolean;
  reset(): void;
  findJumpForwardString(): string;
  rollBack(numTokens: number): void;
}

export class Testings {
  static debugGetMaskedTokensFromBitmask(bitmask: Int32Array, vocabSize: number, index?: number): Promise<Int32Array>;
  static isGrammarAcceptString(grammar: Grammar, inputString: string, debugPrint?: boolean): Promise<boolean>;
}

declare const _default: {
  Grammar: typeof Grammar;
  GrammarCompiler: typeof GrammarCompiler;
  CompiledGrammar: typeof CompiledGrammar;
  GrammarMatcher: typeof GrammarMatcher;
  TokenizerInfo: typeof TokenizerInfo;
  Testings: typeof Testings;
  StructuralTagItem: typeof StructuralTagItem;
};
export default _default;
