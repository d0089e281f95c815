// The interface of the package `@mlc-ai/web-xgrammar`, for engines that use it, such as WebLLM. The masks are those of gcc-grammar.
//
// What a grammar means is what gcc-grammar says it means: see the page on migration from XGrammar. Schemas are read with the profile
// `xgrammar`.

import { GccGrammarError, Vocabulary, compile, init } from './index.js';

let loaded;

/** Loads the module once, and again after it stopped. */
async function ready() {
  if (!loaded || (await loaded).isStopped) loaded = init();
  return loaded;
}

/** The names of tokens that end outputs where nobody names them. */
const STOP_TOKENS = ['</s>', '<|end_of_text|>', '<|eot_id|>', '<|endoftext|>', '<eos>', '<|eos|>', '<end_of_turn>', '<\uff5cend\u2581of\u2581sentence\uff5c>', '<|im_end|>'];

const listOf = (ids) => (ids === undefined || ids === null ? [] : Array.isArray(ids) ? ids : [ids]);

/** The bytes that the characters of byte-level tokens stand for. */
const BYTES = (() => {
  const bytes = new Map();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const isShown = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    bytes.set(isShown ? String.fromCharCode(byte) : String.fromCharCode(next++), byte);
  }
  return bytes;
})();

const encoder = new TextEncoder();

const DECODERS = {
  raw: (token) => encoder.encode(token),
  byte_fallback(token) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token);
    return byte ? Uint8Array.of(parseInt(byte[1], 16)) : encoder.encode(token.replaceAll('\u2581', ' '));
  },
  byte_level(token) {
    const bytes = [...token].map((character) => BYTES.get(character));
    return bytes.includes(undefined) ? encoder.encode(token) : Uint8Array.from(bytes);
  },
};

class Disposable {
  constructor(handle) {
    this.handle = handle;
  }

  dispose() {
    this.handle?.free?.();
    this.handle = undefined;
  }
}

export class TokenizerInfo extends Disposable {
  static async createTokenizerInfo(encodedVocab, vocabType = 'raw', prependSpaceInTokenization = false, vocabSize = encodedVocab.length, stopTokenIds) {
    await ready();
    const decode = DECODERS[vocabType];
    if (!decode) throw new GccGrammarError('usage', `there is no kind of vocabulary \`${vocabType}\`: raw, byte_fallback, byte_level`);
    const named = encodedVocab.flatMap((token, id) => (STOP_TOKENS.includes(token) ? [id] : []));
    const endTokens = stopTokenIds === undefined ? named : listOf(stopTokenIds);
    const specialTokens = new Map(endTokens.map((id) => [encodedVocab[id] ?? `<end ${id}>`, id]));
    const vocabulary = Vocabulary.fromTokens(encodedVocab.map(decode), { specialTokens, endTokens, width: vocabSize });
    return Object.assign(new TokenizerInfo(vocabulary), { tokens: encodedVocab.map(decode), size: vocabulary.width });
  }

  getVocabSize() {
    return this.size;
  }

  getDecodedVocabHandle() {
    return this.tokens;
  }
}

/** A grammar that is not compiled yet: what `compile` takes. */
export class Grammar extends Disposable {
  static async fromEBNF(ebnfString, rootRule = 'root') {
    return new Grammar({ source: { ebnf: ebnfString }, options: { start: rootRule } });
  }

  static async builtinJSONGrammar() {
    return new Grammar({ source: { bundled: 'json' }, options: {} });
  }

  static async fromJSONSchema(schema, anyWhitespace = true, indent = 2, separators = undefined, strictMode = true) {
    return new Grammar({ source: { jsonSchema: schema }, options: schemaOptions(anyWhitespace, indent, separators, strictMode) });
  }

  static async fromStructuralTag(structuralTagOrTags, triggers) {
    return new Grammar({ source: { structuralTag: structuralTagOf(structuralTagOrTags, triggers) }, options: { profile: 'xgrammar' } });
  }

  toString() {
    const text = Object.values(this.handle.source)[0];
    return typeof text === 'string' ? text : JSON.stringify(text);
  }
}

/** XGrammar writes texts with one fixed spelling where white space is not free; only its compact and its default one exist here. */
function schemaOptions(anyWhitespace, indent, separators, strictMode) {
  if (!strictMode) throw new GccGrammarError('usage', 'strictMode is always on: name the further properties in the schema');
  if (anyWhitespace) return { profile: 'xgrammar', whitespace: 'any' };
  const [comma, colon] = separators ?? [', ', ': '];
  if (indent >= 0 && separators === undefined) throw new GccGrammarError('usage', 'indented JSON cannot be asked for: leave anyWhitespace on');
  if (comma === ',' && colon === ':') return { profile: 'xgrammar', whitespace: 'compact' };
  if (comma === ', ' && colon === ': ') return { profile: 'xgrammar', whitespace: 'single' };
  throw new GccGrammarError('usage', 'separators are [",", ":"] or [", ", ": "]');
}

function structuralTagOf(structuralTag, triggers) {
  if (!Array.isArray(structuralTag)) return structuralTag;
  const tags = structuralTag.map(({ begin, schema, end }) => {
    const content = { type: 'json_schema', json_schema: typeof schema === 'string' ? JSON.parse(schema) : schema };
    return { type: 'tag', begin, content, end };
  });
  return { type: 'structural_tag', format: { type: 'triggered_tags', triggers: triggers ?? [], tags } };
}

export class StructuralTagItem {
  constructor(begin, schema, end) {
    Object.assign(this, { begin, schema, end });
  }

  getSchemaAsString() {
    return typeof this.schema === 'string' ? this.schema : JSON.stringify(this.schema);
  }

  getSchemaAsJSON() {
    return typeof this.schema === 'string' ? JSON.parse(this.schema) : this.schema;
  }
}

export class CompiledGrammar extends Disposable {
  constructor(handle, source, tokenizer) {
    super(handle);
    Object.assign(this, { source, tokenizer });
  }

  grammar() {
    return this.source;
  }

  tokenizerInfo() {
    return this.tokenizer;
  }
}

export class GrammarCompiler extends Disposable {
  static async createGrammarCompiler(tokenizerInfo) {
    await ready();
    return new GrammarCompiler({ tokenizerInfo });
  }

  async #compile(grammar) {
    const { tokenizerInfo } = this.handle;
    const compiled = compile(grammar.handle.source, tokenizerInfo.handle, grammar.handle.options);
    return new CompiledGrammar(compiled, grammar, tokenizerInfo);
  }

  async compileJSONSchema(...schema) {
    return this.#compile(await Grammar.fromJSONSchema(...schema));
  }

  async compileBuiltinJSONGrammar() {
    return this.#compile(await Grammar.builtinJSONGrammar());
  }

  async compileGrammar(grammar, rootRule) {
    return this.#compile(typeof grammar === 'string' ? await Grammar.fromEBNF(grammar, rootRule) : grammar);
  }

  async compileStructuralTag(...structuralTag) {
    return this.#compile(await Grammar.fromStructuralTag(...structuralTag));
  }
}

/** As in XGrammar, every commit can be taken back. */
const MOST_ROLLBACK = 1 << 16;

export class GrammarMatcher extends Disposable {
  static async createGrammarMatcher(compiledGrammar, overrideStopTokens, terminateWithoutStopToken = false) {
    await ready();
    if (overrideStopTokens !== undefined && String(listOf(overrideStopTokens)) !== String(compiledGrammar.tokenizer.handle.endTokens)) {
      throw new GccGrammarError('usage', 'stop tokens belong to the vocabulary: give them to createTokenizerInfo');
    }
    const matcher = new GrammarMatcher(compiledGrammar.handle.matcher({ maxRollback: MOST_ROLLBACK }));
    return Object.assign(matcher, { terminateWithoutStopToken });
  }

  getMaxRollbackTokens() {
    return MOST_ROLLBACK;
  }

  #accepts(commit) {
    try {
      commit();
      return true;
    } catch (error) {
      if (error.code === 'refused') return false;
      throw error;
    }
  }

  acceptToken(tokenID) {
    return this.#accepts(() => this.handle.commit(tokenID));
  }

  _acceptString(inputStr) {
    return this.#accepts(() => this.handle.commitText(inputStr));
  }

  async getNextTokenBitmask() {
    return new Int32Array(this.handle.fill().buffer);
  }

  isTerminated() {
    return this.handle.isTerminated || (this.terminateWithoutStopToken && this.#isComplete());
  }

  /** Whether the text is complete and nothing but its end may follow. */
  #isComplete() {
    return this.handle.isAccepting && this.handle.countAllowed === this.handle.grammar.vocabulary.endTokens.length;
  }

  reset() {
    this.handle.reset();
  }

  findJumpForwardString() {
    return this.handle.forcedText();
  }

  rollBack(numTokens) {
    this.handle.rollback(numTokens);
  }
}

export class Testings {
  static async debugGetMaskedTokensFromBitmask(bitmask, vocabSize, index = 0) {
    const words = Math.ceil(vocabSize / 32);
    const row = bitmask.subarray(index * words, (index + 1) * words);
    return Int32Array.from(Array.from({ length: vocabSize }, (_, id) => id).filter((id) => !((row[id >> 5] >>> (id & 31)) & 1)));
  }

  static async isGrammarAcceptString(grammar, inputString) {
    await ready();
    const vocabulary = Vocabulary.fromTokens(Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), { specialTokens: { '<end>': 256 }, endTokens: [256] });
    const matcher = compile(grammar.handle.source, vocabulary, grammar.handle.options).matcher();
    try {
      matcher.commitText(inputString);
      return matcher.isAccepting;
    } catch (error) {
      if (error.code === 'refused') return false;
      throw error;
    }
  }
}

export default { Grammar, GrammarCompiler, CompiledGrammar, GrammarMatcher, TokenizerInfo, Testings, StructuralTagItem };
