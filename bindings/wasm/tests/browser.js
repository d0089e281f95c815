// Runs the checks in a headless Chromium: node browser.js FOLDER PAGES PICTURES. FOLDER has what `wasm-cases` wrote, PAGES the pages of
// `gcc-grammar explore` of `examples/person.schema.json`, of an artifact of `examples/sums.gbnf`, of a schema with two equal properties, and of the first without the compiler (`runtime.html`); the screenshots go to the folder PICTURES.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exploreArtifact, explorePerson, exploreTwins, exploreWithoutCompiler } from './explorer.js';

const { chromium } = await import(process.env.PLAYWRIGHT ?? 'playwright-core');
const [folder, pages, pictures] = process.argv.slice(2);
const TYPES = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };

const roots = { package: new URL('../package', import.meta.url).pathname, tests: new URL('.', import.meta.url).pathname, cases: folder };
const server = createServer(async (request, response) => {
  const [, root, ...path] = normalize(new URL(request.url, 'http://localhost').pathname).split('/');
  try {
    if (root === '') return response.setHeader('content-type', TYPES.html).end('<!doctype html><title>checks</title>');
    const content = await readFile(join(roots[root], ...path));
    response.setHeader('content-type', TYPES[path.at(-1).split('.').at(-1)] ?? 'application/octet-stream').end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet });

/** A page on which errors end the test. */
async function open(options) {
  const page = await browser.newPage(options);
  page.on('pageerror', (error) => {
    console.error(error);
    process.exit(1);
  });
  return page;
}

try {
  const page = await open({});
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const said = await page.evaluate(async () => {
    const { init, instantiate, logitsProcessor } = await import('/package/index.js');
    const xgrammar = await import('/package/xgrammar.js');
    const check = await import('/tests/check.js');
    const file = async (name) => new Uint8Array(await (await fetch(`/cases/${name}`)).arrayBuffer());
    const json = async (name) => (await fetch(`/cases/${name}`)).json();
    const lines = [];
    const compiler = await init();
    const cases = await json('cases.json');
    for (const library of [compiler, await instantiate('/package/runtime.wasm')]) {
      let masks = 0;
      for (const [number, given] of cases.entries()) masks += await check.followCase(library, given, number, file);
      lines.push(`${cases.length} cases with ${masks} masks`);
    }
    check.checkInterface(compiler);
    check.checkDamage(compiler);
    check.checkProcessor(compiler, logitsProcessor);
    await check.checkXGrammar(xgrammar);
    lines.push(`${check.checkDepth(await instantiate())} deep inputs compiled`);
    const vocabulary = compiler.openVocabulary(await file('vocabulary.gcv'));
    let [sources, masks] = [0, 0];
    for (const [number, given] of (await json('sources.json')).entries()) {
      const times = await check.compareSource(compiler, vocabulary, given, number, file);
      if (times) [sources, masks] = [sources + 1, masks + times.masks];
    }
    lines.push(`${sources} sources with equal tables and ${masks} equal masks`);
    return lines;
  });
  said.forEach((line) => console.log(`Chromium: ${line}`));
  await page.close();

  const address = (name) => pathToFileURL(join(pages, name)).href;
  await explorePerson((options) => open({ ...options, offline: true }), address('person.html'), pictures);
  await exploreArtifact((options) => open({ ...options, offline: true }), address('sums.html'));
  await exploreTwins((options) => open({ ...options, offline: true }), address('twins.html'));
  await exploreWithoutCompiler((options) => open({ ...options, offline: true }), address('runtime.html'));
  console.log('Chromium: the explorer');
} finally {
  await browser.close();
  server.close();
}
