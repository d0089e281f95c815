// The checks of the package that need no file system, for Node and for browsers. They throw where something is wrong, and return what they
// counted and measured.

import { GccGrammarError } from '../package/index.js';

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** A short name of a source. */
const kind = (source) => Object.prototype.toString.call(source);

/** The error that a call throws. */
export function refusal(call) {
  try {
    call();
  } catch (error) {
    expect(error instanceof GccGrammarError, `another error: ${error.stack}`);
    return error;
  }
  throw new Error('nothing was thrown');
}

/** The ids of the bits of a mask. */
export function ids(row) {
  return [...row].flatMap((word, index) => Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (word >>> bit) & 1).map((bit) => 32 * index + bit));
}

/** Follows the steps of a case; `file` reads a file of the folder. */
export async function followCase(library, { name, steps }, number, file) {
  const vocabulary = library.openVocabulary(await file(`cases/${number}.gcv`));
  const grammar = library.open(await file(`cases/${number}.gcg`), vocabulary);
  const matcher = grammar.matcher({ maxRollback: 4096 });
  steps.forEach(({ allowed, accepting, then }, index) => {
    const where = `${name}, step ${index}`;
    expect(String(ids(matcher.fill())) === String(allowed), `${where}: ${ids(matcher.fill())} in place of ${allowed}`);
    if (accepting !== null) expect(matcher.isAccepting === accepting, `${where}: accepting`);
    if (then === null) return;
    if ('rollback' in then) return matcher.rollback(then.rollback);
    if (allowed.includes(then.commit)) return matcher.commit(then.commit);
    expect(refusal(() => matcher.commit(then.commit)).code === 'refused', `${where}: ${then.commit} is committed`);
  });
  for (const object of [matcher, grammar, vocabulary]) object.free();
  return steps.length;
}

/** FNV-1a of the words of a mask. */
function digest(row) {
  return row.reduce((hash, word) => Math.imul(hash ^ word, 0x01000193), 0x811c9dc5 | 0) >>> 0;
}

/** The sections of an artifact but for the metadata, which is compressed: kind, size of elements, length and checksum of each. */
function sections(artifact) {
  const view = new DataView(artifact.buffer, artifact.byteOffset, artifact.byteLength);
  const entry = (index) => {
    const at = 192 + 32 * index;
    return [view.getUint32(at, true), view.getUint32(at + 4, true), view.getBigUint64(at + 16, true), view.getBigUint64(at + 24, true)];
  };
  const all = Array.from({ length: view.getUint32(12, true) }, (_, index) => entry(index));
  return all.filter(([kind]) => kind !== 1).join(' ');
}

/** Compiles a source, and compares tables and masks with the native ones. Returns times in milliseconds; none for a source that is refused. */
export async function compareSource(library, vocabulary, given, number, file) {
  const { label, notation, name, source, error, walks } = given;
  const camel = notation.replace(/-[a-z]/g, (letter) => letter[1].toUpperCase());
  const compile = () => library.compile({ [camel]: source }, vocabulary, { name });
  if (error) {
    expect(refusal(compile).code === error, `${label}: ${refusal(compile).code} in place of ${error}`);
    return undefined;
  }
  const begun = performance.now();
  const grammar = compile();
  const compileMs = performance.now() - begun;
  expect(sections(grammar.save()) === sections(await file(`artifacts/${number}.gcg`)), `${label}: other tables`);
  let [maskMs, masks] = [0, 0];
  const row = new Uint32Array(grammar.rowWords);
  for (const { tokens, digests } of walks) {
    const matcher = grammar.matcher();
    tokens.forEach((token, index) => {
      const start = performance.now();
      matcher.fill(row);
      maskMs += performance.now() - start;
      masks += 1;
      expect(digest(row) === digests[index], `${label}: another mask before token ${index}`);
      matcher.commit(token);
    });
    matcher.free();
  }
  grammar.free();
  return { compileMs, maskMs: maskMs / Math.max(masks, 1), masks };
}

/** A small vocabulary: all bytes, a few texts, and an end token. */
export function smallVocabulary(library) {
  const tokens = [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), 'true', '"a"', '":', 'é'];
  return library.vocabularyFromTokens(tokens, { specialTokens: { '<end>': 260 }, endTokens: ['<end>'], width: 300 });
}

/** Every function of the interface once. */
export function checkInterface(library) {
  const vocabulary = smallVocabulary(library);
  expect(vocabulary.width === 300 && String(vocabulary.endTokens) === '260', 'the vocabulary');
  expect(vocabulary.decode([256, 259, 260]) === 'trueé' && vocabulary.tokenBytes(260) === undefined, 'tokens as text');
  const schema = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'], additionalProperties: false };
  const grammar = library.compile(schema, vocabulary, { whitespace: 'compact', selfContained: true });
  const matcher = grammar.matcher();
  expect(matcher.forcedText() === '{"a":' && String(ids(matcher.fill())) === String('{'.charCodeAt(0)), 'the beginning is forced');
  expect(matcher.validate([123, 257, 58, 256, 260]) === 4, 'all but the end: the colon comes behind the name as a byte, the value as a token');
  matcher.commitText('{"a":');
  expect(String(matcher.allowedRanges) === '102,103,116,117,256,257' && matcher.countAllowed === 3, 'true and false');
  const fork = matcher.fork();
  matcher.commit(256);
  const saved = matcher.save();
  expect(String(ids(matcher.fill())) === '125' && String(fork.allowedRanges) === '102,103,116,117,256,257', 'a fork goes its own way');
  matcher.rollback(1);
  expect(matcher.allows(256) && !matcher.allows(125) && matcher.committed === 1, 'a commit is taken back');
  expect(code(() => grammar.restore(saved, { maxWork: 'x' })) === 'usage' && grammar.restore(saved, { maxWork: 1e6 }).allows(125), 'a bound on work');
  const restored = grammar.restore(saved);
  expect(String(restored.shortestCompletion()) === '125,260' && restored.minRemaining === 2 && restored.remaining === Infinity, 'completion');
  expect(refusal(() => restored.setBudget(1)).code === 'refused', 'a budget that is too small');
  restored.setBudget(2);
  restored.commit(125);
  expect(restored.isAccepting && restored.remaining === 1 && !restored.isTerminated, 'the end may come');
  restored.commit(260);
  expect(restored.isTerminated && restored.countAllowed === 0 && restored.degradedMasks === 0, 'the end came');
  const logits = fork.apply(new Float32Array(301));
  expect(String([...logits.keys()].filter((id) => logits[id] === 0)) === '102,116,256', 'logits');
  fork.reset();
  expect(fork.committed === 0 && !fork.isFree, 'the beginning again');

  const other = library.open(grammar.save());
  expect(other.vocabulary.width === 300 && other.matcher().forcedText() === '{"a":', 'a self-contained artifact');
  expect(library.openVocabulary(vocabulary.save()).width === 300, 'a compiled vocabulary');
  const onDemand = library.compile(schema, vocabulary, { whitespace: 'compact', onDemand: true });
  expect(String(onDemand.matcher().fill()) === String(grammar.matcher().fill()), 'masks on demand');
  const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }];
  expect(library.compile({ tools }, vocabulary, { model: 'qwen3' }).matcher().countAllowed > 0, 'tools');
  const sources = [{ lark: 'start: "a"' }, { gbnf: 'root ::= "a"' }, { ebnf: 'root ::= "a"' }, { regex: 'a' }, { choices: ['a'] }, { bundled: 'json' }, { structuralTag: { type: 'structural_tag', format: { type: 'const_string', value: 'a' } } }];
  for (const source of sources) expect(library.compile(source, vocabulary).matcher().countAllowed > 0, JSON.stringify(source));
  const prelude = grammar.matcher({ startAfter: '<go>', maxFreeTokens: 9 });
  expect(prelude.isFree && prelude.countAllowed > 250, 'free text in front');
  checkErrors(library, vocabulary, grammar);
}

function checkErrors(library, vocabulary, grammar) {
  const code = (call) => refusal(call).code;
  const wrong = refusal(() => library.compile({ lark: 'start: "a" b' }, vocabulary));
  expect(wrong.code === 'refused' && wrong.message.includes('`b` is not defined') && wrong.diagnostics[0].location.line === 1, 'a diagnostic has its place');
  expect(code(() => library.compile({ type: 'string' }, vocabulary, { whitespaces: 1 })) === 'refused', 'an unknown option');
  expect(code(() => library.compile(true, grammar)) === 'usage', 'not a vocabulary');
  expect(code(() => library.open(new Uint8Array(100))) === 'refused', 'not an artifact');
  expect(code(() => library.openVocabulary(grammar.save())) === 'refused', 'not a vocabulary file');
  const plain = library.compile(true, vocabulary).save();
  expect(code(() => library.open(plain)) === 'usage', 'no vocabulary');
  const cyclic = {};
  cyclic.a = cyclic;
  const sources = [undefined, null, 5, new Map(), new Uint8Array(2), cyclic, { minimum: 1n }, { regex: /a/ }, { lark: undefined }, { choices: 1 }, { tools: undefined }, { regex: 'a', lark: 'b' }];
  for (const source of sources) expect(code(() => library.compile(source, vocabulary)) === 'usage', `the source ${kind(source)}`);
  for (const options of [null, 5, { selfContained: 'no' }, { onDemand: 1 }]) expect(code(() => library.compile(true, vocabulary, options)) === 'usage', 'options of compile');
  expect(refusal(() => library.compile(true, vocabulary, { whiteSpace: 'any' })).message.includes('`importFolders`'), 'names of options');
  for (const [tokens, options] of [[5, {}], [['a'], { endToken: [0] }], [['a'], { endTokens: 'a' }], [['a'], null]]) expect(code(() => library.vocabularyFromTokens(tokens, options)) === 'usage', 'a vocabulary');
  expect(code(() => library.vocabularyFromTokenizer('{}', { endtokens: [] })) === 'usage', 'options of a tokenizer');
  const other = library.vocabularyFromTokens(['a'], { specialTokens: { '<end>': 1 }, endTokens: [1] });
  expect(code(() => library.open(plain, other)) === 'other-vocabulary', 'another vocabulary');
  expect(code(() => library.compile({ regex: 'a{10000}{10000}' }, vocabulary)) !== 'defect', 'a pattern that is too large');
  const ambiguous = library.compile({ lark: 'start: s\ns: s s s | s s | "a"\n' }, vocabulary);
  const bounded = ambiguous.restore(ambiguous.matcher().save(), { maxWork: 20_000 });
  expect(code(() => { for (let count = 0; count < 2000; count++) bounded.commitText('a'); }) === 'over-budget', 'a bound on the work of a restored matcher');
  expect(code(() => library.compile({ lark: 'start: "a"' }, vocabulary, { limits: { work: 10 } })) === 'over-budget', 'a limit');
  const matcher = grammar.matcher();
  for (const token of [-1, 1.5, NaN, undefined, '1', 2 ** 32, 1n]) expect(code(() => matcher.commit(token)) === 'usage', `the token ${String(token)}`);
  expect(code(() => matcher.commit(0)) === 'refused' && code(() => matcher.commit(1e9)) === 'refused', 'tokens that are not allowed');
  expect(code(() => matcher.rollback(1)) === 'rollback-too-far', 'nothing to take back');
  expect(code(() => matcher.fill(new Uint32Array(1))) === 'usage', 'a row that is too short');
  for (const row of [null, 0, [1, 2, 3], new Float32Array(100)]) expect(refusal(() => matcher.fill(row)).message.startsWith('the row: give a Uint32Array'), `the row ${row}`);
  for (const logits of [new Int32Array(301), new Uint8Array(301), 'x', undefined, {}])
    expect(refusal(() => matcher.apply(logits)).message.startsWith('the logits: give a Float32Array'), `the logits ${logits}`);
  expect(refusal(() => matcher.apply(new Float32Array(299))).message.includes('299 logits, and the vocabulary has 300 tokens'), 'too few logits');
  for (const tokens of [5, 'a', null]) expect(code(() => matcher.validate(tokens)) === 'usage' && code(() => vocabulary.decode(tokens)) === 'usage', `the tokens ${tokens}`);
  for (const options of [5, null, { maxWork: 'x' }, { maxWork: NaN }, { maxWork: -2 }]) expect(code(() => grammar.matcher(options)) === 'usage', `options ${options}`);
  expect(code(() => matcher.commitText('\ud800')) === 'usage', 'half of a surrogate pair');
  const damaged = matcher.save();
  damaged[damaged.length - 1] ^= 1;
  expect(code(() => grammar.restore(damaged)) === 'refused', 'a damaged state');
  matcher.free();
  expect(code(() => matcher.commit(123)) === 'usage', 'a matcher that was freed');
  expect(!library.isStopped, 'the instance goes on');
}

/** Artifacts whose bytes were changed are refused; vocabularies are refused, or are others. The instance goes on. */
export function checkDamage(library) {
  const vocabulary = smallVocabulary(library);
  const artifact = library.compile({ lark: 'start: "a" start | "b"' }, vocabulary, { selfContained: true }).save();
  const file = vocabulary.save();
  const refused = { artifacts: 0, vocabularies: 0 };
  for (let step = 0; step < 400; step++) {
    const ways = [['artifacts', artifact, (bytes) => library.open(bytes)], ['vocabularies', file, (bytes) => library.openVocabulary(bytes)]];
    for (const [kind, bytes, open] of ways) {
      const changed = bytes.slice(0, step % 7 === 0 ? (step * bytes.length) / 400 : bytes.length);
      if (changed.length > 0) changed[(step * 7919) % changed.length] ^= 1 << step % 8;
      try {
        open(changed).free();
      } catch (error) {
        expect(error.code === 'refused' || error.code === 'usage', error.message);
        refused[kind] += 1;
      }
    }
  }
  const { artifacts, vocabularies } = refused;
  expect(artifacts === 400 && vocabularies > 300 && !library.isStopped, `${artifacts} and ${vocabularies} of 400 were refused`);
}

/** Texts that nest deeply: each is compiled, or refused with a code, and never stops the instance. */
export const DEEP = {
  regex: (depth) => ({ regex: `${'('.repeat(depth)}a${')'.repeat(depth)}` }),
  lookahead: (depth) => ({ regex: `${'(?!a'.repeat(depth)}${')'.repeat(depth)}b` }),
  lark: (depth) => ({ lark: `start: ${'('.repeat(depth)}"a"${')'.repeat(depth)}` }),
  gbnf: (depth) => ({ gbnf: `root ::= ${'('.repeat(depth)}"a"${')'.repeat(depth)}` }),
  ebnf: (depth) => ({ ebnf: `root ::= ${'('.repeat(depth)}"a"${')'.repeat(depth)}` }),
  abnf: (depth) => ({ abnf: `root = ${'('.repeat(depth)}"a"${')'.repeat(depth)}` }),
  w3c: (depth) => ({ w3c: `start ::= ${'('.repeat(depth)}'a'${')'.repeat(depth)}` }),
  antlr: (depth) => ({ antlr: `grammar x; start: ${'('.repeat(depth)}'a'${')'.repeat(depth)};` }),
  rules: (depth) => ({ lark: `start: a0\n${Array.from({ length: depth }, (_, rule) => `a${rule}: "x" a${rule + 1}`).join('\n')}\na${depth}: "y"` }),
  items: (depth) => ({ jsonSchema: `${'{"items":'.repeat(depth)}true${'}'.repeat(depth)}` }),
  allOf: (depth) => ({ jsonSchema: `${'{"allOf":['.repeat(depth)}true${']}'.repeat(depth)}` }),
  not: (depth) => ({ jsonSchema: `${'{"not":'.repeat(depth)}{"type":"string"}${'}'.repeat(depth)}` }),
  const: (depth) => ({ jsonSchema: `{"const":${'['.repeat(depth)}${']'.repeat(depth)}}` }),
  pattern: (depth) => ({ jsonSchema: JSON.stringify({ type: 'string', pattern: `${'('.repeat(depth)}a${')'.repeat(depth)}` }) }),
  choices: (depth) => ({ choices: ['x'.repeat(depth)] }),
  structuralTag: (depth) => ({ structuralTag: `{"type":"structural_tag","format":${'{"type":"sequence","elements":['.repeat(depth)}{"type":"any_text"}${']}'.repeat(depth)}}` }),
  tools: (depth) => ({ tools: `${'['.repeat(depth)}${']'.repeat(depth)}` }),
};

export function checkDepth(library) {
  const vocabulary = smallVocabulary(library);
  let compiled = 0;
  for (const [name, source] of Object.entries(DEEP)) {
    for (const depth of [50, 99, 180, 199, 500, 5000, 50000]) {
      try {
        const matcher = library.compile(source(depth), vocabulary).matcher();
        for (let step = 0; step < 200 && !matcher.isTerminated; step++) {
          const [range] = matcher.allowedRanges;
          if (range) matcher.commit(range[0]);
        }
        compiled += 1;
      } catch (error) {
        expect(['refused', 'over-budget', 'usage'].includes(error.code), `${name}, ${depth} deep: ${error.message}`);
        expect(!library.isStopped, `${name}, ${depth} deep: the instance stopped: ${error.message}`);
      }
    }
  }
  // An output that nests deeply.
  const matcher = library.compile({ bundled: 'json' }, vocabulary).matcher({ maxRollback: 1 });
  for (let depth = 0; depth < 20000; depth++) matcher.commit('['.charCodeAt(0));
  expect(matcher.countAllowed > 0 && matcher.allows(']'.charCodeAt(0)), 'deep output');
  return compiled;
}

/** Like transformers.js: a batch of logits, token by token. */
export function checkProcessor(library, logitsProcessor) {
  const grammar = library.compile({ choices: ['ab', 'ac'] }, smallVocabulary(library));
  const processor = logitsProcessor(grammar);
  const outputs = [[7n], [8n]];
  const texts = ['', ''];
  for (let step = 0; step < 4; step++) {
    const logits = outputs.map((_, index) => ({ data: Float32Array.from({ length: 300 }, (_, id) => (index + 1) * id) }));
    expect(processor(outputs, logits) === logits, 'the same logits');
    logits.forEach(({ data }, index) => {
      const best = data.reduce((best, logit, id) => (logit > data[best] ? id : best), 0);
      outputs[index].push(BigInt(best));
      if (step < 2) texts[index] += String.fromCharCode(best);
    });
  }
  expect(String(texts) === 'ac,ac' && outputs[0][3] === 260n, `${texts}`);
}

/** The walk of XGrammar's own first test, with its vocabulary and its tokens, and what is expected there. */
export async function checkXGrammar(xgrammar) {
  const vocab = ['<s>', '</s>', 'a', 'abc', 'b"', '"', ':"', '{', '}', ', ', '6', ':', '\n', ' ', '"a":true'];
  const info = await xgrammar.TokenizerInfo.createTokenizerInfo(vocab, 'byte_fallback', false);
  const compiler = await xgrammar.GrammarCompiler.createGrammarCompiler(info);
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(await compiler.compileBuiltinJSONGrammar());
  const rejected = async () => xgrammar.Testings.debugGetMaskedTokensFromBitmask(await matcher.getNextTokenBitmask(), info.getVocabSize());
  expect(!(await rejected()).includes(vocab.indexOf('{')), 'an object may begin');
  for (const token of ['{', '"', 'abc', 'b"', ':', '6', ', ', '"a":true', '}']) {
    const id = vocab.indexOf(token);
    expect(!(await rejected()).includes(id) && matcher.acceptToken(id), `${token} is accepted`);
  }
  expect(!matcher.acceptToken(vocab.indexOf('}')) && !matcher.isTerminated(), 'nothing but the end');
  expect(matcher.acceptToken(vocab.indexOf('</s>')) && matcher.isTerminated(), 'the end');
  matcher.rollBack(2);
  expect(matcher.acceptToken(vocab.indexOf('}')), 'taken back');
  matcher.reset();
  const strict = await compiler.compileJSONSchema('{"type":"object","properties":{"a":{"const":true}},"required":["a"]}');
  const other = await xgrammar.GrammarMatcher.createGrammarMatcher(strict);
  expect(other._acceptString('{') && !other._acceptString('"b'), 'no further properties');
  expect(await xgrammar.Testings.isGrammarAcceptString(await xgrammar.Grammar.fromEBNF('root ::= "a"+'), 'aaa'), 'a text of a grammar');
  const tags = await compiler.compileStructuralTag([new xgrammar.StructuralTagItem('<f>', { type: 'string' }, '</f>')], ['<f>']);
  expect((await xgrammar.GrammarMatcher.createGrammarMatcher(tags))._acceptString('6'), 'structural tags');
  matcher.dispose();
}
