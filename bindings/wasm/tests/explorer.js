// Drives the page of `gcc-grammar explore`.

import { join } from 'node:path';

function expect(condition, message) {
  if (!condition) throw new Error(`explorer: ${message}`);
}

/** Opens a page, and waits until it can be used. */
async function ready(open, address, options) {
  const page = await open(options);
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', { timeout: 60000 });
  const text = (selector) => page.textContent(selector);
  const includes = async (selector, ...parts) => {
    const found = await text(selector);
    for (const part of parts) expect(found.includes(part), `${selector} has no “${part}”: ${found}`);
  };
  return { page, text, includes };
}

/** All functions on the page of a schema, and pictures of it. */
export async function explorePerson(open, address, pictures) {
  const { page, text, includes } = await ready(open, address, { viewport: { width: 1280, height: 900 } });
  await includes('#about', 'person.schema.json', 'certified');
  await includes('#state', 'Step 0 of 0', 'Forced: {');

  await page.fill('#text', '{"name": "Ada", "a');
  await includes('#state', '2 tokens may come next', 'Forced: ge":');
  await includes('#stacks', 'string', '"name":', 'bottom', '+2', '#/properties/name');
  await includes('#lexemes', '"Ada"', 'Reading "a', '"age":');
  await includes('#costs', 'mask, µs');
  await page.click('#force');
  expect((await page.inputValue('#text')) === '{"name": "Ada", "age":', 'forced text is appended');

  await page.fill('#text', '{"name": "Ada", "age": 15x');
  await includes('#state', 'is refused');
  await includes('#why-answer', 'number', 'Near and allowed');
  await page.fill('#text', '{"name": "Ada", "age": 36}');
  await includes('#state', 'The text is complete');
  const group = page.locator('#groups button', { hasText: '<|eot_id|>' });
  await group.click();
  await includes('#state', 'The output has ended');

  // Steps, by keys alone.
  await page.focus('#text');
  await page.keyboard.press('Alt+Home');
  const all = await page.locator('#tokens .token').count();
  await includes('#state', `Step 0 of ${all}`);
  await page.keyboard.press('Alt+ArrowRight');
  await includes('#state', `Step 1 of ${all}`);
  await page.keyboard.press('Alt+End');
  await includes('#state', `Step ${all} of ${all}`, 'The output has ended');
  await page.keyboard.press('Alt+ArrowLeft');
  await includes('#state', `Step ${all - 1} of ${all}`);

  await page.fill('#text', '{"name": "Ada", ');
  for (const [asked, answer] of [['"', 'allowed here'], ['"age', 'Its bytes may come here'], ['x', 'cannot begin here'], ['"agx', 'may come here; behind that'], ['#128009', 'special token'], ['#999999', 'No token has the id']]) {
    await page.fill('#why', asked);
    await page.press('#why', 'Enter');
    await includes('#why-answer', answer);
  }
  await page.fill('#text', '{"name": "Ada", "age": 1, "');
  await page.fill('#search', 'tag');
  await includes('#groups', 'tags');
  await page.fill('#search', 'qqq');
  await includes('#groups', 'No allowed token');
  await page.fill('#search', '');

  // A place leads to the source.
  await page.locator('#stacks .place').first().click();
  expect((await page.evaluate(() => document.activeElement.id)) === 'source', 'a place leads to the source');

  // Budgets and completions.
  await page.fill('#budget', '20');
  await page.press('#budget', 'Enter');
  await includes('#state', 'Budget left:');
  await page.click('#shortest');
  await includes('#state', 'The output has ended');
  await page.fill('#budget', '3');
  await page.press('#budget', 'Enter');
  await includes('#budget-note', 'The budget is not used');
  await page.fill('#budget', '');
  await page.press('#budget', 'Enter');
  for (let turn = 0; turn < 5; turn++) {
    await page.fill('#text', '{"name": ');
    await page.click('#random');
    await includes('#state', 'The output has ended');
    JSON.parse(await page.inputValue('#text'));
  }

  // Everything can be reached with the tabulator key, and what has the focus can be seen.
  await page.fill('#text', '{"name": ');
  await page.click('#back');
  await page.focus('.skip');
  const reached = new Set();
  for (let press = 0; press < 400 && !reached.has('source'); press++) {
    await page.keyboard.press('Tab');
    const [id, outline] = await page.evaluate(() => [document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]);
    expect(outline !== 'none', `no outline on ${id}`);
    reached.add(id);
  }
  for (const id of ['text', 'first', 'random', 'budget', 'search', 'why', 'notation', 'options', 'source']) expect(reached.has(id), `${id} cannot be reached`);

  // Another source, in the same page.
  const compile = async (notation, source, options = '') => {
    await page.selectOption('#notation', notation);
    await page.fill('#source', source);
    await page.fill('#options', options);
    await page.press('#options', 'Enter');
  };
  await compile('lark', 'start: "[" [start ("," start)*] "]" | NUMBER\nNUMBER: /[0-9]+/\n');
  expect(!(await page.isVisible('#problem')), 'a grammar compiles');
  await page.fill('#text', '[1,[2');
  await includes('#stacks', 'NUMBER', 'line');
  await includes('#state', 'may come next');
  await compile('lark', 'start: "a" b\n');
  await includes('#problem', '`b` is not defined', '1:12');
  await compile('json-schema', '{"type": "string"}', '{"whitespaces": 1}');
  await includes('#problem', 'unknown field');
  expect((await text('#state')).includes('may come next'), 'the last grammar stays');
  await page.close();
  await takePictures(open, address, pictures);
}

async function takePictures(open, address, pictures) {
  for (const [name, width, colorScheme] of [['explore', 1280, 'light'], ['explore-dark', 1280, 'dark'], ['explore-narrow', 390, 'light'], ['explore-narrow-dark', 390, 'dark']]) {
    const { page } = await ready(open, address, { viewport: { width, height: width === 390 ? 1000 : 900 }, colorScheme });
    await page.fill('#text', '{"name": "Ada", "age": 36, ');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow <= 0, `${name}: the page is ${overflow} pixels too wide`);
    const colors = await page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.color, style.backgroundColor].map((color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0));
    });
    expect(colors[0] > colors[1] === (colorScheme === 'dark'), `${name}: the colours of the other scheme`);
    await page.evaluate(() => document.activeElement.blur());
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    await page.close();
  }
}

/** The page of an artifact with another notation. */
export async function exploreArtifact(open, address) {
  const { page, includes } = await ready(open, address, { viewport: { width: 1280, height: 900 } });
  await includes('#about', 'sums.gcg', 'gbnf');
  await page.fill('#text', '(1+*');
  await includes('#state', 'is refused');
  await includes('#why-answer', '[-+*/] ws', 'line 3');
  await page.close();
}
