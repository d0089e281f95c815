// Runs the checks in Node: node node.js FOLDER, where FOLDER has what `wasm-cases` wrote. With `--table`, prints times.

import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { instantiate, init, logitsProcessor } from '../package/index.js';
import * as xgrammar from '../package/xgrammar.js';
import { checkDamage, checkDepth, checkInterface, checkProcessor, checkXGrammar, compareSource, followCase, refusal, smallVocabulary } from './check.js';

const folder = process.argv[2];
const file = async (name) => new Uint8Array(await readFile(join(folder, name)));
const json = async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'));

const cases = await json('cases.json');
const compiler = await init();
const runtime = await instantiate(new URL('../package/runtime.wasm', import.meta.url));
for (const [name, library] of Object.entries({ compiler, runtime })) {
  let masks = 0;
  for (const [number, given] of cases.entries()) masks += await followCase(library, given, number, file);
  console.log(`${name}.wasm: ${cases.length} cases with ${masks} masks`);
}
const opened = runtime.open(compiler.compile(true, smallVocabulary(compiler), { selfContained: true }).save());
for (const [option, message] of [['startAfter', 'the option startAfter of a matcher needs compiler.wasm'], ['nope', 'a matcher has no option nope']])
  if (!refusal(() => opened.matcher({ [option]: 'x' })).message.includes(message)) throw new Error(`the option ${option} with the runtime alone`);
if (refusal(() => runtime.compile(true, undefined)).code !== 'usage') throw new Error('the runtime alone compiles nothing');

checkInterface(compiler);
checkDamage(compiler);
checkProcessor(compiler, logitsProcessor);
await checkXGrammar(xgrammar);
console.log(`interface, damage, logits processor, interface of XGrammar; ${checkDepth(await instantiate())} deep inputs compiled`);

// The recipe of the cookbook prints what its last line says.
const cookbook = await readFile(new URL('../../../docs/cookbook.md', import.meta.url), 'utf8');
const [, recipe] = cookbook.match(/^```js\n(.*?)^```$/ms);
const printed = [];
const log = console.log;
console.log = (value) => printed.push(value);
await writeFile(join(folder, 'recipe.mjs'), recipe.replace("'gcc-grammar'", JSON.stringify(new URL('../package/index.js', import.meta.url).href)));
try {
  await import(pathToFileURL(resolve(folder, 'recipe.mjs')).href);
} finally {
  console.log = log;
}
const shown = inspect(printed[0]);
if (printed.length !== 1 || !recipe.trimEnd().endsWith(`// ${shown}`)) throw new Error(`the recipe of the cookbook prints ${shown}`);

const sources = await json('sources.json');
const vocabulary = compiler.openVocabulary(await file('vocabulary.gcv'));
let [equal, refused, masks] = [0, 0, 0];
for (const [number, given] of sources.entries()) {
  const times = await compareSource(compiler, vocabulary, given, number, file);
  if (times) [equal, masks] = [equal + 1, masks + times.masks];
  else refused += 1;
  if (times && process.argv.includes('--table')) {
    const cells = [given.label, given.compile_ms, times.compileMs, given.mask_ms * 1e3, times.maskMs * 1e3];
    console.log(cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell)).join(' | '));
  }
}
console.log(`${equal} sources with equal tables and ${masks} equal masks, ${refused} refused alike`);
