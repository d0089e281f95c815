// Times beside the native library and `@mlc-ai/web-xgrammar`, as Markdown: node bench.js FOLDER [XGRAMMAR], where FOLDER has what a release build of
// `wasm-cases` wrote, and XGRAMMAR is the index.js of that package. The sources are the JSON Schemas; each time is a mean along the same walks.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { init } from '../package/index.js';

const [folder, other] = process.argv.slice(2);
const library = await init();
const vocabulary = library.openVocabulary(await readFile(join(folder, 'vocabulary.gcv')));
const sources = JSON.parse(await readFile(join(folder, 'sources.json'), 'utf8')).filter((given) => given.walks && given.notation === 'json-schema');

function quantile(values, part) {
  const sorted = values.slice().sort((one, two) => one - two);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

const time = async (job) => {
  const begun = performance.now();
  const value = await job();
  return [performance.now() - begun, value];
};

/** Times of each source: milliseconds to compile, microseconds for a mask and a commit. */
async function measure(compile, begin) {
  const times = { compile: [], mask: [], failed: 0 };
  for (const { source, walks } of sources) {
    try {
      const [spent, grammar] = await time(() => compile(source));
      times.compile.push(spent);
      for (const { tokens } of walks) {
        const matcher = await begin(grammar);
        for (const token of tokens) {
          times.mask.push((await time(() => matcher.fill()))[0] * 1e3);
          if (!matcher.commit(token)) break;
        }
      }
    } catch {
      times.failed += 1;
    }
  }
  return times;
}

function row(name, { compile, mask, failed }) {
  const cells = [quantile(compile, 0.5), quantile(compile, 0.9), Math.max(...compile), quantile(mask, 0.5), quantile(mask, 0.99), Math.max(...mask)];
  console.log(`| ${name} | ${cells.map((cell) => cell.toFixed(1)).join(' | ')} | ${failed} |`);
}

console.log(`${sources.length} schemas, ${vocabulary.width} tokens, Node ${process.versions.node}`);
console.log('| | compile p50, ms | p90 | max | mask p50, µs | p99 | max | not compiled |\n|---|---:|---:|---:|---:|---:|---:|---:|');
const native = { compile: sources.map((given) => given.compile_ms), mask: sources.map((given) => given.mask_ms * 1e3), failed: 0 };
row('native (masks: means of the schemas)', native);
const wasm = await measure(
  (source) => library.compile({ jsonSchema: source }, vocabulary),
  (grammar) => {
    const matcher = grammar.matcher();
    const words = new Uint32Array(grammar.rowWords);
    return { fill: () => matcher.fill(words), commit: (token) => (matcher.commit(token), true) };
  },
);
row('WebAssembly', wasm);

if (other) {
  // In Node, the package asks for what modules do not have, and gives itself as a global name.
  Object.assign(globalThis, { require: createRequire(pathToFileURL(other)), __dirname: dirname(other), __filename: other });
  await import(pathToFileURL(other));
  const { xgrammar } = globalThis;
  const characters = [];
  for (let byte = 0, next = 0x100; byte < 256; byte++) {
    const isShown = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    characters.push(String.fromCharCode(isShown ? byte : next++));
  }
  const names = new Map([...vocabulary.specialTokens].map(([name, id]) => [id, name]));
  const spelled = (id) => names.get(id) ?? Array.from(vocabulary.tokenBytes(id) ?? [], (byte) => characters[byte]).join('');
  const tokens = Array.from({ length: vocabulary.width }, (_, id) => spelled(id));
  const info = await xgrammar.TokenizerInfo.createTokenizerInfo(tokens, 'byte_level', false, vocabulary.width, vocabulary.endTokens);
  const compiler = await xgrammar.GrammarCompiler.createGrammarCompiler(info, false);
  const times = await measure(
    (source) => compiler.compileJSONSchema(source),
    async (grammar) => {
      const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
      return { fill: () => matcher.getNextTokenBitmask(), commit: (token) => matcher.acceptToken(token) };
    },
  );
  row('web-xgrammar', times);
}
