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
  await page.click('#measure');
  const measured = await page.locator('#costs rect').count();
  expect(measured === await page.locator('#tokens .token').count() + 1, `${measured} steps are drawn`);
  expect(await page.locator('#costs rect.here').count() === 1, 'the step that is shown is marked in the drawing');
  await includes('#state', '2 tokens may come next');
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
  for (const [width, colorScheme] of LOOKS) await exploreByKeys(open, address, { viewport: { width, height: 900 }, colorScheme });
  await takePictures(open, address, pictures);
}

/** The widths and colours in which the page is looked at. */
const LOOKS = [[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']];

/** What the page is for, with keys alone: a text is typed, steps are taken, a token is searched and chosen, another is explained, a schema is compiled. */
async function exploreByKeys(open, address, options) {
  const { page, includes } = await ready(open, address, options);
  const { keyboard } = page;
  const press = async (...keys) => {
    for (const key of keys) await keyboard.press(key);
  };
  const focus = () => page.evaluate(() => document.activeElement.id);
  /** Goes to an element with the tabulator key; what has the focus on the way can be seen, and is within the page. */
  const go = async (selector, key = 'Tab') => {
    for (let presses = 0; presses < 600; presses++) {
      await press(key);
      const [found, isBody, outline, left, right] = await page.evaluate((selector) => {
        const { activeElement } = document;
        const { left, right } = activeElement.getBoundingClientRect();
        return [activeElement.matches(selector), activeElement === document.body, getComputedStyle(activeElement).outlineStyle, left, right];
      }, selector);
      expect(outline !== 'none' || isBody, `the focus cannot be seen on the way to ${selector}`);
      if (found) return expect(right > 0 && left < options.viewport.width, `${selector} is not in the page`);
    }
    throw new Error(`explorer: ${selector} cannot be reached with ${key}`);
  };

  /** What was used keeps the focus, or what stands there then. */
  const isWithin = async (selector) => expect(await page.evaluate((selector) => document.activeElement.matches(selector), selector), `the focus is lost from ${selector}`);

  await go('.skip');
  await press('Enter');
  expect((await focus()) === 'text', 'the first link leads to the text');
  await keyboard.type('{"name": "Ada", "a');
  const all = await page.locator('#tokens .token').count();
  await includes('#state', `Step ${all} of ${all}`, 'Forced: ge":');

  await go('#back');
  await press('Enter', 'Space');
  await includes('#state', `Step ${all - 2} of ${all}`);
  await go('#forward');
  await press('Enter', 'Enter');
  await includes('#state', `Step ${all} of ${all}`);
  await isWithin('[aria-label="Steps"] button');
  await press('Alt+Home');
  await includes('#state', `Step 0 of ${all}`);
  await go('#tokens .token');
  await press('Enter');
  await isWithin('#tokens .token');
  await press('Alt+End', 'Alt+ArrowLeft', 'Alt+ArrowRight');
  await includes('#state', `Step ${all} of ${all}`);
  await go('#force');
  await press('Enter');
  expect((await page.inputValue('#text')) === '{"name": "Ada", "age":', 'forced text is appended');

  await go('#search');
  await keyboard.type('15');
  await go('#groups .token[title="token 868"]');
  await press('Enter');
  expect((await page.inputValue('#text')) === '{"name": "Ada", "age":15', 'a token is appended');
  await isWithin('#text');
  await go('#search');
  await press('Control+a', 'Delete');
  await go('#groups .token[title="token 15"]');
  await press('Enter');
  await isWithin('#groups *');
  expect((await page.inputValue('#text')) === '{"name": "Ada", "age":150', 'another token is appended');
  await press('Alt+ArrowLeft');
  await go('#why');
  await keyboard.type('x');
  await press('Enter');
  await includes('#why-answer', 'cannot begin here', '#/properties/age');
  await go('#why-answer .place');
  await press('Enter');
  expect((await focus()) === 'source', 'a place leads to the source');
  const selected = await page.evaluate(() => window.getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd));
  expect(selected === '"age"' || selected === '"properties"', `the place selects ${selected}`);

  await press('Control+a');
  await keyboard.insertText('{"type": "array", "items": {"enum": ["left", "right"]}}');
  await go('#source-form button', 'Shift+Tab');
  await press('Enter');
  expect(!(await page.isVisible('#problem')), 'a schema is compiled');
  await includes('#state', 'is refused');
  await go('#text', 'Shift+Tab');
  await press('Control+a');
  await keyboard.type('["left", x');
  await includes('#why-answer', '#/items');
  await go('#notation');
  const before = await page.inputValue('#notation');
  await press('ArrowDown');
  expect((await page.inputValue('#notation')) !== before, 'a notation is chosen');
  await press('ArrowUp');
  await page.close();
}

async function takePictures(open, address, pictures) {
  for (const [width, colorScheme] of LOOKS) {
    const name = `explore${width === 390 ? '-narrow' : ''}${colorScheme === 'dark' ? '-dark' : ''}`;
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

/** Equal schemas share a rule: the places that are shown are those of the schema that the text is in. */
export async function exploreTwins(open, address) {
  const { page, includes, text } = await ready(open, address, { viewport: { width: 1280, height: 900 } });
  await page.fill('#text', '{"c": {"x": 1}, "d": {"x": "');
  await includes('#why-answer', '#/properties/d/properties/x');
  await includes('#stacks', '#/properties/d');
  const stacks = await text('#stacks');
  expect(!stacks.includes('#/properties/c'), `a place of an equal schema is shown: ${stacks}`);
  await includes('#lexemes', '#/properties/c/properties/x', '#/properties/d/properties/x');
  await page.close();
}

/** The page with the runtime alone: all but what reads the source anew. */
export async function exploreWithoutCompiler(open, address) {
  const { page, includes } = await ready(open, address, { viewport: { width: 1280, height: 900 } });
  await includes('#about', 'person.schema.json', 'certified');
  await page.fill('#text', '{"name": "Ada", "a');
  await includes('#state', '2 tokens may come next', 'Forced: ge":');
  await includes('#stacks', 'string', '"name":', 'bottom', '+2');
  await includes('#costs', 'mask, µs');
  await page.fill('#text', '{"name": "Ada", "age": 15x');
  await includes('#state', 'is refused');
  await includes('#why-answer', 'Near and allowed');
  for (let turn = 0; turn < 5; turn++) {
    await page.fill('#text', '{"name": ');
    await page.click('#random');
    await includes('#state', 'The output has ended');
    JSON.parse(await page.inputValue('#text'));
  }
  await page.fill('#budget', '20');
  await page.press('#budget', 'Enter');
  await includes('#state', 'Budget left:');
  expect(await page.isVisible('#no-compiler'), 'the page says what it lacks');
  for (const hidden of ['#lexemes', '#notation', '#options']) expect(!(await page.isVisible(hidden)), `${hidden} is not shown`);
  expect((await page.inputValue('#source')).includes('"name"'), 'the source is shown');
  await page.close();
}
