// Exact next-token masks for JSON Schemas and grammars: what is around the WebAssembly module.
//
// A `Library` is one instance of the module. Its objects (vocabularies, grammars, matchers) are numbers in there; texts and bytes are copied
// into its input and out of its output. A function of the module returns -1 if it failed; then the output has the error as JSON. If the
// module itself stops (out of memory, out of stack, a defect), the instance is not used any more: its objects throw, and a new
// instance is made by `init` or `instantiate`.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Why something was not done. `code` is for programs, `message` for people, `diagnostics` says where in the source. */
export class GccGrammarError extends Error {
  constructor(code, message, diagnostics = []) {
    super(message);
    this.name = 'GccGrammarError';
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

/** One instance of the WebAssembly module. */
export class Library {
  #exports;
  /** Why the instance cannot be used any more. */
  #stopped;
  #dropped = new FinalizationRegistry((number) => {
    if (!this.#stopped) this.#exports.forget(number);
  });

  constructor(instance) {
    this.#exports = instance.exports;
    this._call('begin');
  }

  /** Whether schemas and grammars can be compiled: the module is not the runtime alone. */
  get hasCompiler() {
    return 'compile' in this.#exports;
  }

  /** Whether the instance stopped, and another one is needed. */
  get isStopped() {
    return this.#stopped !== undefined;
  }

  /** Calls a function of the module. */
  _call(name, ...numbers) {
    if (this.#stopped) throw this.#stopped;
    const called = this.#exports[name];
    if (!called) throw new GccGrammarError('usage', 'this needs compiler.wasm: runtime.wasm opens artifacts and fills masks');
    let result;
    try {
      result = called(...numbers);
    } catch (error) {
      throw this.#stop(error);
    }
    if (result !== -1) return result;
    const { code, message, diagnostics } = JSON.parse(decoder.decode(this._output()));
    throw new GccGrammarError(code, message.includes('unknown field') ? inCamelCase(message) : message, diagnostics);
  }

  /** Calls a function of the module with an input. */
  _callWith(input, name, ...numbers) {
    this._input(input);
    return this._call(name, ...numbers);
  }

  /** Says why the instance stopped: its stack or memory is used up, or it has a defect. */
  #stop(error) {
    let reason = '';
    try {
      const at = this.#exports.defect();
      reason = decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, this.#exports.defect_length()));
    } catch {
      // Nothing can be read any more.
    }
    const isStack = error instanceof RangeError || /stack|recursion/i.test(error.message);
    const isMemory = /alloc|memory|capacity/i.test(reason);
    const [code, message] = isStack
      ? ['over-budget', 'the input nests too deeply for the stack of this JavaScript engine']
      : isMemory
        ? ['over-budget', 'the memory of the WebAssembly module is used up']
        : ['defect', `a defect of gcc-grammar, please report it: ${reason || error.message}`];
    this.#stopped = new GccGrammarError(code, `${message}; make a new instance with init()`);
    this.#stopped.cause = error;
    return this.#stopped;
  }

  _input(bytes) {
    if (this.#stopped) throw this.#stopped;
    let at;
    try {
      at = this.#exports.input(bytes.length) >>> 0;
    } catch (error) {
      throw this.#stop(error);
    }
    if (at === 0 && bytes.length > 0) throw new GccGrammarError('over-budget', `${bytes.length} bytes are too many for an input`);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
  }

  /** A copy of the output. */
  _output() {
    const at = this.#exports.output() >>> 0;
    return new Uint8Array(this.#exports.memory.buffer, at, this.#exports.output_length()).slice();
  }

  /** The output as numbers of 32 bits. */
  _words() {
    return new Uint32Array(this._output().buffer);
  }

  /** The output as JSON. */
  _json() {
    return JSON.parse(decoder.decode(this._output()));
  }

  /** The memory of the module at an address, as numbers of 32 bits, until the next call. */
  _at(address, words) {
    return new Uint32Array(this.#exports.memory.buffer, address, words);
  }

  /** Frees what an object stands for when the object is gone. */
  _watch(object, number) {
    this.#dropped.register(object, number, object);
  }

  _forget(object, number) {
    this.#dropped.unregister(object);
    if (!this.#stopped) this._call('forget', number);
  }

  /** Compiles a schema or grammar for a vocabulary. */
  compile(source, vocabulary, options = {}) {
    if (kindOf(options) !== 'Object') throw wrong('the options', options, "an object such as { whitespace: 'compact' }");
    const { selfContained = false, onDemand = false, name, ...rest } = options;
    const flags = { self_contained: flag('selfContained', selfContained), on_demand: flag('onDemand', onDemand) };
    const given = { ...sourceOf(source), name, ...flags, options: snakeCase(rest) };
    const number = this._callWith(encoder.encode(json('the options', given)), 'compile', mine(this, vocabulary, Vocabulary)._number);
    return new Grammar(this, number, this._json());
  }

  /** Opens an artifact, with the vocabulary that it was compiled for unless its tokens are inside. */
  open(artifact, vocabulary) {
    this._input(bytesOf(artifact));
    const number = vocabulary ? mine(this, vocabulary, Vocabulary)._number : 0;
    return new Grammar(this, this._call('grammar_open', number, vocabulary ? 1 : 0), []);
  }

  /** Opens a compiled vocabulary (`.gcv`). */
  openVocabulary(file) {
    return new Vocabulary(this, this._callWith(bytesOf(file), 'vocabulary_open'));
  }

  /** Makes a vocabulary of tokens: a list whose positions are the ids, a map from tokens to ids, or an object with them. */
  vocabularyFromTokens(tokens, options = {}) {
    checkNames(options, ['name', 'specialTokens', 'endTokens', 'width']);
    const { name = '<tokens>', specialTokens = {}, endTokens = [], width = 0 } = options;
    if (tokens === null || typeof tokens !== 'object') throw wrong('the tokens', tokens, 'an array, a Map or an object of them');
    if (!Array.isArray(endTokens)) throw wrong('endTokens', endTokens, 'an array of ids or names');
    const specials = entries(specialTokens);
    const isSpecial = new Set(specials.map(([, id]) => id));
    const listed = Array.isArray(tokens) ? tokens.map((token, id) => [token, id]) : entries(tokens);
    const texts = listed.filter(([token, id]) => token != null && !isSpecial.has(id));
    const encoded = texts.map(([token, id]) => [typeof token === 'string' ? bytesOf(token) : token, id]).filter(([bytes]) => bytes.length > 0);
    const ids = [...listed, ...specials].map(([, id]) => whole(id));
    const least = ids.reduce((most, id) => Math.max(most, id + 1), 0);
    const byName = new Map(specials);
    const ends = endTokens.map((end) => (typeof end === 'number' ? whole(end) : (byName.get(end) ?? missing(end))));
    const head = { name, special_tokens: specials, end_tokens: ends, width: Math.max(width, least) };
    const bytes = new Writer(encoded.reduce((sum, [token]) => sum + token.length + 8, 0));
    for (const [token, id] of encoded) bytes.number(whole(id)).number(token.length).put(token);
    return new Vocabulary(this, this._callWith(withHead(head, bytes.bytes), 'vocabulary_new'));
  }

  /** Reads a tokenizer file: `tokenizer.json`, `tekken.json`, ranks of tiktoken, or a SentencePiece model. */
  vocabularyFromTokenizer(file, options = {}) {
    checkNames(options, ['name', 'endTokens', 'width']);
    const { name = '<tokenizer>', endTokens = [], width = 0 } = options;
    if (!Array.isArray(endTokens)) throw wrong('endTokens', endTokens, 'an array of ids or names');
    const head = { name, width, end_tokens: endTokens };
    const isText = typeof file === 'string' || file instanceof Uint8Array || file instanceof ArrayBuffer;
    const bytes = bytesOf(isText ? file : json('the tokenizer', file));
    return new Vocabulary(this, this._callWith(withHead(head, bytes), 'vocabulary_from_tokenizer'));
  }
}

/** Something in the module. */
class Handle {
  #number;

  constructor(library, number) {
    this._library = library;
    this.#number = number;
    library._watch(this, number);
  }

  get _number() {
    if (this.#number === undefined) throw new GccGrammarError('usage', 'this was freed');
    return this.#number;
  }

  _call(name, ...numbers) {
    return this._library._call(name, this._number, ...numbers);
  }

  /** Frees its memory now. Otherwise that is done some time after the object is not used any more. */
  free() {
    if (this.#number !== undefined) this._library._forget(this, this.#number);
    this.#number = undefined;
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.free();
  }
}

/** The tokens of a model. */
export class Vocabulary extends Handle {
  #about;

  /** Makes one of tokens; see `Library.vocabularyFromTokens`. */
  static fromTokens(tokens, options) {
    return current().vocabularyFromTokens(tokens, options);
  }

  /** Reads a tokenizer file; see `Library.vocabularyFromTokenizer`. */
  static fromTokenizer(file, options) {
    return current().vocabularyFromTokenizer(file, options);
  }

  /** Opens a compiled vocabulary (`.gcv`). */
  static open(file) {
    return current().openVocabulary(file);
  }

  #read() {
    if (!this.#about) {
      this._call('vocabulary_about');
      this.#about = this._library._json();
    }
    return this.#about;
  }

  /** The number of bits of a mask. */
  get width() {
    return this.#read().width;
  }

  /** The ids of the tokens that end an output. */
  get endTokens() {
    return this.#read().end_tokens;
  }

  /** The special tokens: a map from names to ids. */
  get specialTokens() {
    return new Map(this.#read().special_tokens);
  }

  /** The bytes of a text token; undefined for other ids. */
  tokenBytes(id) {
    return this._call('vocabulary_token', whole(id)) === 1 ? this._library._output() : undefined;
  }

  /** The text of tokens; special tokens count for nothing. */
  decode(tokens) {
    return decoder.decode(concat(idsOf(tokens).map((id) => this.tokenBytes(id) ?? new Uint8Array())));
  }

  /** The compiled vocabulary (`.gcv`). */
  save() {
    this._call('vocabulary_bytes');
    return this._library._output();
  }
}

/** A compiled schema or grammar with its vocabulary. */
export class Grammar extends Handle {
  #words;
  #width;

  constructor(library, number, warnings) {
    super(library, number);
    /** The warnings of the compiler. */
    this.warnings = warnings;
  }

  /** The number of 32-bit words of a mask. */
  get rowWords() {
    this.#words ??= this._call('grammar_row_words');
    return this.#words;
  }

  /** The vocabulary. */
  get vocabulary() {
    return new Vocabulary(this._library, this._call('grammar_vocabulary'));
  }

  /** The number of tokens of the vocabulary. */
  get _width() {
    if (this.#width === undefined) {
      const vocabulary = this.vocabulary;
      this.#width = vocabulary.width;
      vocabulary.free();
    }
    return this.#width;
  }

  /** The artifact, as `gcc-grammar compile` writes it. */
  save() {
    this._call('grammar_bytes');
    return this._library._output();
  }

  /** A matcher at the beginning of an output. */
  matcher(options = {}) {
    if (kindOf(options) !== 'Object') throw wrong('the options of a matcher', options, 'an object such as { maxRollback: 8 }');
    const { maxRollback = 64, maxWork = -1, ...others } = options;
    expectWork(maxWork);
    const given = snakeCase(others);
    if (!this._library.hasCompiler) for (const name of Object.keys(others)) if (others[name] !== undefined) throw unavailable(name);
    this._library._input(encoder.encode(Object.keys(given).length ? JSON.stringify(given) : ''));
    return new Matcher(this, this._call('matcher_new', whole(maxRollback, 'maxRollback'), Number(maxWork)));
  }

  /** A matcher that was saved. The bound on the work of its calls is not saved with it. */
  restore(saved, { maxWork = -1 } = {}) {
    expectWork(maxWork);
    this._library._input(bytesOf(saved));
    return new Matcher(this, this._call('matcher_restore', Number(maxWork)));
  }
}

/** The state of one output: the tokens so far, and the tokens that may follow. A call that throws leaves it as it was. */
export class Matcher extends Handle {
  #grammar;
  #words;

  constructor(grammar, number) {
    super(grammar._library, number);
    this.#grammar = grammar;
    this.#words = grammar.rowWords;
  }

  /** The grammar. */
  get grammar() {
    return this.#grammar;
  }

  #masked() {
    const address = this._call('matcher_fill');
    return this._library._at(address, this.#words);
  }

  /** Fills the mask of the next token: token t is bit t % 32 of word t / 32. Without a row, a new one is made. */
  fill(row) {
    const isRow = row === undefined || ['Uint32Array', 'Int32Array'].includes(kindOf(row));
    if (!isRow) throw wrong('the row', row, 'a Uint32Array or an Int32Array');
    const mask = this.#masked();
    if (row === undefined) return mask.slice();
    if (row.length < mask.length) throw new GccGrammarError('usage', `the row has ${row.length} words, and needs ${mask.length}`);
    row.set(mask);
    row.fill(0, mask.length);
    return row;
  }

  /** Sets the logits of all tokens that may not come next to minus infinity. */
  apply(logits) {
    // Arrays of integers have no minus infinity: it would become 0.
    if (!/^(Float(16|32|64)?Array|Array)$/.test(kindOf(logits))) throw wrong('the logits', logits, 'a Float32Array, another array of floating-point numbers, or an array of numbers');
    const width = this.#grammar._width;
    if (logits.length < width) throw new GccGrammarError('usage', `there are ${logits.length} logits, and the vocabulary has ${width} tokens: give one for each token`);
    const mask = this.#masked();
    const masked = Math.min(logits.length, mask.length * 32);
    for (let word = 0; word * 32 < masked; word++) {
      const bits = mask[word];
      if (bits === 0xffffffff) continue;
      const end = Math.min(masked, word * 32 + 32);
      for (let token = word * 32; token < end; token++) if (!((bits >>> (token & 31)) & 1)) logits[token] = -Infinity;
    }
    logits.fill(-Infinity, masked);
    return logits;
  }

  /** Commits a token; throws `refused` exactly if the mask does not have it. */
  commit(token) {
    this._call('matcher_commit', whole(token));
  }

  /** Commits a text or bytes as if they were one token. */
  commitText(text) {
    this._library._input(bytesOf(text));
    this._call('matcher_commit_bytes');
  }

  /** Whether a token may come next. */
  allows(token) {
    return this._call('matcher_allows', whole(token)) === 1;
  }

  /** The number of tokens that could be committed one after the other. Commits none of them. */
  validate(tokens) {
    this._library._input(new Uint8Array(Uint32Array.from(idsOf(tokens), (token) => whole(token)).buffer));
    return this._call('matcher_validate');
  }

  /** Takes back the last commits. */
  rollback(count) {
    this._call('matcher_rollback', whole(count, 'the number of commits'));
  }

  /** Another matcher with the same state, independent from now on. */
  fork() {
    return new Matcher(this.#grammar, this._call('matcher_fork'));
  }

  /** Goes back to the beginning. */
  reset() {
    this._call('matcher_reset');
  }

  /** The state as bytes, for `Grammar.restore`. */
  save() {
    this._call('matcher_save');
    return this._library._output();
  }

  /** The bytes that are certain to come. */
  forced(most = 65536) {
    this._call('matcher_forced', whole(most, 'the number of bytes'));
    return this._library._output();
  }

  /** The text that is certain to come; a character whose last bytes are not certain is left out. */
  forcedText(most = 65536) {
    return new TextDecoder().decode(this.forced(most), { stream: true });
  }

  /** Whether the text so far is complete. */
  get isAccepting() {
    return this._call('matcher_is_accepting') === 1;
  }

  /** Whether an end token was committed. */
  get isTerminated() {
    return this._call('matcher_is_terminated') === 1;
  }

  /** Whether the output is still in the free text in front (`startAfter`). */
  get isFree() {
    return this._call('matcher_is_free') === 1;
  }

  /** The number of commits that were not taken back. */
  get committed() {
    return this._call('matcher_committed');
  }

  /** The number of tokens that may come next. */
  get countAllowed() {
    return this._call('matcher_count_allowed');
  }

  /** The tokens that may come next, as ranges [first, behind the last]. */
  get allowedRanges() {
    this._call('matcher_allowed_ranges');
    const words = this._library._words();
    return Array.from({ length: words.length / 2 }, (_, index) => [words[2 * index], words[2 * index + 1]]);
  }

  /** Limits the tokens that may still be committed, the end token included; Infinity lifts the limit. */
  setBudget(tokens) {
    this._call('matcher_set_budget', tokens === Infinity ? tokens : whole(tokens, 'a budget'));
  }

  /** The tokens that may still be committed; Infinity without a limit. */
  get remaining() {
    return this._call('matcher_remaining');
  }

  /** The number of tokens that complete the output; Infinity if no completion is known. */
  get minRemaining() {
    return this._call('matcher_min_remaining');
  }

  /** Tokens that complete the output; undefined if no completion is known. */
  shortestCompletion() {
    return this._call('matcher_shortest_completion') === Infinity ? undefined : this._library._words();
  }

  /** The number of masks within a budget that may lack tokens. */
  get degradedMasks() {
    return this._call('matcher_degraded_masks');
  }
}

/**
 * A logits processor for transformers.js: `generate({ ..., logits_processor: [logitsProcessor(grammar)] })`. The ids of the first call are the
 * prompt. It is made anew for each call of `generate`; outputs of a batch are told apart by their position, so it is not for beam search.
 */
export function logitsProcessor(grammar, options) {
  if (!(grammar instanceof Grammar)) throw wrong('the grammar', grammar, 'what compile or open has returned');
  const outputs = [];
  return (inputIds, logits) => {
    inputIds.forEach((ids, index) => {
      const output = (outputs[index] ??= { matcher: grammar.matcher(options), seen: ids.length });
      for (const id of ids.slice(output.seen)) if (!output.matcher.isTerminated) output.matcher.commit(Number(id));
      output.seen = ids.length;
      // Behind its end, an output is padded with whatever the engine likes.
      if (!output.matcher.isTerminated) output.matcher.apply(logits[index].data);
    });
    return logits;
  };
}

/** The instance that the functions of this module use. */
let library;

function current() {
  if (library && !library.isStopped) return library;
  throw new GccGrammarError('usage', library ? 'the instance has stopped: call `await init()` again' : 'call `await init()` first');
}

let module;

/** Loads the module, and makes an instance of it for `compile`, `open` and `Vocabulary`. Without an argument, `compiler.wasm` beside this file. */
export async function init(source) {
  if (source !== undefined || !module) module = await load(source ?? new URL('./compiler.wasm', import.meta.url));
  library = await instantiate(module);
  return library;
}

/** Makes an instance of its own. */
export async function instantiate(source = new URL('./compiler.wasm', import.meta.url)) {
  return new Library(await WebAssembly.instantiate(await load(source), {}));
}

/** The module of bytes, of a response, or at an address. */
async function load(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (typeof Response !== 'undefined' && source instanceof Response) return WebAssembly.compile(await source.arrayBuffer());
  const url = new URL(source, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(url).catch((error) => {
      throw new GccGrammarError('not-found', `${url.pathname}: ${error.code}; bindings/wasm/build.sh builds the modules`);
    });
    return WebAssembly.compile(bytes);
  }
  const response = await fetch(url);
  if (!response.ok) throw new GccGrammarError('not-found', `${url}: ${response.status}`);
  return load(response);
}

/** Compiles a schema or grammar for a vocabulary; see `Library.compile`. */
export function compile(source, vocabulary, options) {
  return (vocabulary?._library ?? current()).compile(source, vocabulary, options);
}

/** Opens an artifact; see `Library.open`. */
export function open(artifact, vocabulary) {
  return (vocabulary?._library ?? current()).open(artifact, vocabulary);
}

/** The notations, by the names that sources have here. */
const NOTATIONS = {
  jsonSchema: 'json-schema',
  lark: 'lark',
  gbnf: 'gbnf',
  ebnf: 'ebnf',
  w3c: 'w3c',
  abnf: 'abnf',
  antlr: 'antlr',
  treeSitter: 'tree-sitter',
  regex: 'regex',
  choices: 'choices',
  structuralTag: 'structural-tag',
  tools: 'tools',
  bundled: 'bundled',
};

/** The notations that are JSON, and may be given as values of JavaScript. */
const JSON_NOTATIONS = ['jsonSchema', 'treeSitter', 'structuralTag', 'tools'];

/** An object with the name of a notation as its only member is a source in it; every other object, a boolean and a text are a JSON Schema. */
function sourceOf(source) {
  if (!['Object', 'Boolean', 'String'].includes(kindOf(source))) {
    throw wrong('the source', source, "a JSON Schema as an object or a text, or an object such as { regex: 'a+' }");
  }
  const keys = typeof source === 'object' ? Object.keys(source) : [];
  const notations = keys.filter((key) => Object.hasOwn(NOTATIONS, key));
  if (notations.length > 1 && notations.length === keys.length) throw new GccGrammarError('usage', `the source has ${notations.join(' and ')}: give one of them`);
  if (keys.length !== 1 || notations.length !== 1) return { notation: 'json-schema', source: textOf('the schema', source) };
  const [key] = keys;
  const text = source[key];
  if (key === 'choices' && Array.isArray(text)) return { notation: 'choices', choices: text };
  if (typeof text !== 'string' && !JSON_NOTATIONS.includes(key)) throw wrong(`the source ${key}`, text, key === 'choices' ? 'an array of texts' : 'a text');
  return { notation: NOTATIONS[key], source: textOf(`the source ${key}`, text) };
}

/** A text as it is, and everything else as JSON. */
function textOf(name, value) {
  return typeof value === 'string' ? value : json(name, value);
}

/** A value as JSON. */
function json(name, value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new GccGrammarError('usage', `${name} cannot be written as JSON: ${error.message}`);
  }
  if (text === undefined) throw wrong(name, value, 'a value of JSON');
  return text;
}

/** A flag that was given. */
function flag(name, value) {
  if (typeof value !== 'boolean') throw wrong(name, value, 'true or false');
  return value;
}

/** Refuses options that do not exist. */
function checkNames(options, known) {
  if (kindOf(options) !== 'Object') throw wrong('the options', options, 'an object');
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new GccGrammarError('usage', `there is no option ${unknown} here: there are ${known.join(', ')}`);
}

/** Options as the library names them. Names that are data, such as those of resources, stay as they are. */
function snakeCase(options) {
  const named = ([key, value]) => {
    const isGroup = key === 'limits' && value !== null && typeof value === 'object';
    return [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), isGroup ? snakeCase(value) : value];
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined).map(named));
}

/** A message with the names that options have here. */
function inCamelCase(message) {
  return message.replace(/`[a-z_]+`/g, (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()));
}

/** A number that the module may take: it would take others for 0. */
function whole(value, what = 'a token') {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffffffff) return value;
  throw new GccGrammarError('usage', `${what} is a whole number that is not negative, not ${String(value)}`);
}

/** Refuses a bound on work that is none; -1 stands for the default. */
function expectWork(maxWork) {
  if (maxWork !== -1 && !(typeof maxWork === 'number' && maxWork >= 0)) throw wrong('maxWork', maxWork, 'a number that is not negative');
}

/** The kind of a value: the name of its class, if JavaScript has that. */
function kindOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The error for an argument of the wrong kind. */
function wrong(name, value, expected) {
  const given = value === null || typeof value !== 'object' ? String(value) : `of the kind ${kindOf(value)}`;
  return new GccGrammarError('usage', `${name}: give ${expected}, not ${typeof value === 'string' ? `the text \`${value.slice(0, 40)}\`` : given}`);
}

/** The error for an option of a matcher that the runtime alone does not have. */
function unavailable(name) {
  const needs = ['startAfter', 'maxFreeTokens'].includes(name);
  const message = needs ? `the option ${name} of a matcher needs compiler.wasm` : `a matcher has no option ${name}: it has maxRollback, maxWork, startAfter and maxFreeTokens`;
  return new GccGrammarError('usage', message);
}

/** Ids of tokens as an array. */
function idsOf(tokens) {
  if (tokens === null || typeof tokens !== 'object' || typeof tokens[Symbol.iterator] !== 'function') throw wrong('the tokens', tokens, 'an array of their ids');
  return [...tokens];
}

function mine(library, object, kind) {
  if (!(object instanceof kind)) throw new GccGrammarError('usage', `a ${kind.name} is expected`);
  if (object._library !== library) throw new GccGrammarError('usage', `the ${kind.name} belongs to another instance`);
  return object;
}

function missing(name) {
  throw new GccGrammarError('usage', `there is no special token \`${name}\``);
}

function entries(map) {
  return map instanceof Map ? [...map] : Object.entries(map);
}

function bytesOf(data) {
  if (typeof data === 'string') {
    if (/\p{Surrogate}/u.test(data)) throw new GccGrammarError('usage', 'the text has half of a surrogate pair: give a text that can be UTF-8, or bytes');
    return encoder.encode(data);
  }
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new GccGrammarError('usage', 'a text or bytes are expected');
}

function concat(parts) {
  const writer = new Writer(parts.reduce((sum, part) => sum + part.length, 0));
  for (const part of parts) writer.put(part);
  return writer.bytes;
}

/** The length of a JSON text, that text, and the rest. */
function withHead(head, rest) {
  const text = encoder.encode(JSON.stringify(head));
  return new Writer(4 + text.length + rest.length).number(text.length).put(text).put(rest).bytes;
}

/** Bytes of a known number that are written one after the other. */
class Writer {
  #at = 0;

  constructor(length) {
    this.bytes = new Uint8Array(length);
    this.view = new DataView(this.bytes.buffer);
  }

  number(value) {
    this.view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  put(bytes) {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }
}
