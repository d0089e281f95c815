/** What an error is about. */
export type ErrorCode =
  /** The source, the artifact, the saved state or the token was understood and refused. */
  | 'refused'
  /** An argument is not what the function expects. */
  | 'usage'
  /** A limit on work or memory was exceeded. */
  | 'over-budget'
  /** The artifact was compiled for another vocabulary, or the saved state belongs to another artifact. */
  | 'other-vocabulary'
  /** A file or a name was not found. */
  | 'not-found'
  /** More commits are to be taken back than are remembered. */
  | 'rollback-too-far'
  /** A defect of the package. The instance cannot be used any more. */
  | 'defect';

/** Where and why a source is refused. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  code: string;
  message: string;
  source?: string;
  help?: string;
  location?: { pointer: string } | { line: number; column: number; end_line: number; end_column: number; start: number; end: number } | { offset: number };
}

export class GccGrammarError extends Error {
  constructor(code: ErrorCode, message: string, diagnostics?: Diagnostic[]);
  readonly code: ErrorCode;
  readonly diagnostics: Diagnostic[];
}

/** A JSON Schema as a value or as text, or an object whose only member is a source in a notation. */
export type Source =
  | string
  | boolean
  | { jsonSchema: string | boolean | object }
  | { lark: string }
  | { gbnf: string }
  | { ebnf: string }
  | { w3c: string }
  | { abnf: string }
  | { antlr: string }
  | { treeSitter: string | object }
  | { regex: string }
  | { choices: string[] | string }
  | { structuralTag: string | object }
  | { tools: string | object[] }
  | { bundled: string }
  | { [keyword: string]: unknown };

/** The options of a compilation, as those of the command line. */
export interface CompileOptions {
  /** The name of the source in messages. */
  name?: string;
  /** Put the tokens into the artifact, so that it can be opened without the vocabulary. */
  selfContained?: boolean;
  /** Make masks when they are asked for. The artifact is compiled where it is needed: to save it, and for budgets. */
  onDemand?: boolean;
  start?: string;
  lexer?: 'contextual' | 'basic' | 'dynamic';
  indenter?: string;
  model?: string;
  toolChoice?: string;
  parallel?: boolean;
  thinking?: 'off' | 'on' | 'auto';
  thinkingTokens?: number;
  profile?: 'openai' | 'xgrammar' | 'llguidance' | 'outlines';
  whitespace?: string;
  strings?: string;
  integerSpelling?: string;
  numberDigits?: number;
  propertyOrder?: string;
  repeatedKeys?: 'accept' | 'refuse';
  formats?: string;
  unenforced?: string;
  draft?: string;
  integerWithPoint?: boolean;
  /** The texts of schemas that references lead to, by their URIs. */
  resources?: Record<string, string>;
  strict?: boolean | 'all';
  allowNarrowed?: string[];
  specialTokens?: 'literals' | 'only' | 'never';
  budgets?: 'off' | 'bounded' | 'exact';
  limits?: { work?: number; bytes?: number; lrStates?: number; lexerStates?: number; dwaStates?: number; terminalStates?: number };
}

export interface MatcherOptions {
  /** The commits that can be taken back; 64 by default. */
  maxRollback?: number;
  /** The most work of a call, in units. */
  maxWork?: number;
  /** What free text in front ends with: a text, or the id of a token. */
  startAfter?: string | number;
  /** The most tokens of that free text. */
  maxFreeTokens?: number;
}

export interface VocabularyOptions {
  name?: string;
  /** Special tokens with their ids. They match no text. */
  specialTokens?: Record<string, number> | Map<string, number>;
  /** The tokens that end an output, by id or by the name of a special token. */
  endTokens?: (number | string)[];
  /** The number of bits of a mask, if that is more than there are ids. */
  width?: number;
}

export interface TokenizerOptions {
  name?: string;
  /** The tokens that end an output, if the file does not name them. */
  endTokens?: (number | string)[];
  width?: number;
}

type Token = string | Uint8Array | null | undefined;
type Tokens = Token[] | Map<string | Uint8Array, number> | Record<string, number>;
type Bytes = Uint8Array | ArrayBuffer | string;

declare abstract class Handle {
  /** Frees its memory now. Otherwise that is done some time after the object is not used any more. */
  free(): void;
}

/** The tokens of a model. */
export class Vocabulary extends Handle {
  private constructor();
  static fromTokens(tokens: Tokens, options?: VocabularyOptions): Vocabulary;
  /** `tokenizer.json`, `tekken.json`, ranks of tiktoken, or a SentencePiece model. */
  static fromTokenizer(file: Bytes | object, options?: TokenizerOptions): Vocabulary;
  /** A compiled vocabulary (`.gcv`). */
  static open(file: Bytes): Vocabulary;
  readonly width: number;
  readonly endTokens: number[];
  readonly specialTokens: Map<string, number>;
  tokenBytes(id: number): Uint8Array | undefined;
  decode(tokens: Iterable<number>): string;
  save(): Uint8Array;
}

/** A compiled schema or grammar with its vocabulary. */
export class Grammar extends Handle {
  private constructor();
  readonly warnings: Diagnostic[];
  /** The number of 32-bit words of a mask. */
  readonly rowWords: number;
  readonly vocabulary: Vocabulary;
  /** The artifact. */
  save(): Uint8Array;
  matcher(options?: MatcherOptions): Matcher;
  restore(saved: Bytes, options?: Pick<MatcherOptions, 'maxWork'>): Matcher;
}

/** The state of one output. A call that throws leaves it as it was. */
export class Matcher extends Handle {
  private constructor();
  readonly grammar: Grammar;
  /** Token t is bit t % 32 of word t / 32. */
  fill(): Uint32Array;
  fill<Row extends Uint32Array | Int32Array>(row: Row): Row;
  /** Sets the logits of all tokens that may not come next to minus infinity. */
  apply<Logits extends Float32Array | Float64Array | number[]>(logits: Logits): Logits;
  /** Throws `refused` exactly if the mask does not have the token. */
  commit(token: number): void;
  commitText(text: Bytes): void;
  allows(token: number): boolean;
  validate(tokens: Iterable<number>): number;
  rollback(count: number): void;
  fork(): Matcher;
  reset(): void;
  save(): Uint8Array;
  /** The bytes that are certain to come. */
  forced(most?: number): Uint8Array;
  forcedText(most?: number): string;
  readonly isAccepting: boolean;
  readonly isTerminated: boolean;
  readonly isFree: boolean;
  readonly committed: number;
  readonly countAllowed: number;
  readonly allowedRanges: [number, number][];
  /** Infinity lifts the limit. */
  setBudget(tokens: number): void;
  readonly remaining: number;
  readonly minRemaining: number;
  shortestCompletion(): Uint32Array | undefined;
  readonly degradedMasks: number;
}

/** One instance of the WebAssembly module. */
export class Library {
  private constructor();
  readonly hasCompiler: boolean;
  readonly isStopped: boolean;
  compile(source: Source, vocabulary: Vocabulary, options?: CompileOptions): Grammar;
  open(artifact: Bytes, vocabulary?: Vocabulary): Grammar;
  openVocabulary(file: Bytes): Vocabulary;
  vocabularyFromTokens(tokens: Tokens, options?: VocabularyOptions): Vocabulary;
  vocabularyFromTokenizer(file: Bytes | object, options?: TokenizerOptions): Vocabulary;
}

export type ModuleSource = WebAssembly.Module | Uint8Array | ArrayBuffer | Response | URL | string;

/** Loads the module for the functions below; without an argument, `compiler.wasm` beside this file. Again, it makes a new instance. */
export function init(source?: ModuleSource): Promise<Library>;

/** Makes an instance of its own. */
export function instantiate(source?: ModuleSource): Promise<Library>;

export function compile(source: Source, vocabulary: Vocabulary, options?: CompileOptions): Grammar;
export function open(artifact: Bytes, vocabulary?: Vocabulary): Grammar;

interface LogitsOfOne {
  data: Float32Array | Float64Array | number[];
}

/** A logits processor for transformers.js, made for one call of `generate`. */
export function logitsProcessor(
  grammar: Grammar,
  options?: MatcherOptions,
): <Logits extends { [index: number]: LogitsOfOne }>(inputIds: (bigint | number)[][], logits: Logits) => Logits;
