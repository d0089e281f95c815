// The page of `gcc-grammar explore`. It stands behind the package's index.js in one script, and shows where a matcher is.
//
// The text is a list of tokens and a position in it: the matcher has committed the tokens before the position. Everything below the text shows that
// position. Tokens behind it are kept, to step forth again.

const element = (id) => document.getElementById(id);
const data = JSON.parse(element('data').textContent);
const utf8 = new TextEncoder();

/** The tokens of an output that are shown in a group, and the rows of tables, at most. */
const MOST_SHOWN = 200;
/** Commits that can be taken back; behind them, the text is read anew. */
const MOST_ROLLBACK = 1024;
/** A text is spelled with at most so many bytes: the page asks about each step. */
const MOST_TEXT = 20000;
/** Steps that are measured together, at most. */
const MOST_MEASURED = 2000;
/** Tokens of a completion, at most. */
const MOST_COMPLETION = 2000;
/** Beginnings of tokens that are allowed nearly everywhere, and show little. */
const RARE = new Set(['line breaks and tabs', 'beginning with \\']);

const state = {
  library: undefined,
  vocabulary: undefined,
  grammar: undefined,
  matcher: undefined,
  /** The ids of the text, and how many of them are committed. */
  tokens: [],
  at: 0,
  /** Bytes behind the tokens that no token spells. */
  rest: '',
  /** Whether the token behind the position is refused. */
  refused: false,
  budget: Infinity,
  costs: [],
  /** What the artifact says about itself, and where its rules and terminals stand. */
  about: {},
  places: undefined,
  /** The source, if it is a schema. */
  schema: undefined,
  given: {},
  texts: [],
  specials: new Map(),
};

/** The bytes of base64 that was compressed with gzip. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function node(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** An element of a drawing: of the namespace of the empty drawing in the page. */
function drawing(name, attributes, ...children) {
  const made = document.createElementNS(element('drawing').namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A text in which white space and control characters can be seen. */
function shown(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u00a0\ufffd]|^ | $/g, (character) => {
    const names = { '\n': '⏎', '\t': '⇥', '\r': '␍', ' ': '␣' };
    return names[character] ?? `\\x${character.codePointAt(0).toString(16).padStart(2, '0')}`;
  });
}

function bytesOfToken(id) {
  return state.vocabulary.tokenBytes(id);
}

/** A token as text; bytes that are no whole characters are hexadecimal. */
function tokenText(id) {
  if (state.texts[id] !== undefined) return state.texts[id];
  const special = state.specials.get(id);
  const bytes = special === undefined ? bytesOfToken(id) : undefined;
  let text = special ?? `#${id}`;
  if (bytes) {
    try {
      text = shown(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      text = [...bytes].map((byte) => (byte >= 0x21 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('');
    }
  }
  state.texts[id] = text;
  return text;
}

function join(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function bytesOfTokens(tokens) {
  return join(tokens.map((id) => bytesOfToken(id) ?? new Uint8Array()));
}

function textOf(tokens) {
  return new TextDecoder().decode(bytesOfTokens(tokens));
}

/** A text token as a map knows it: each byte as one character. */
function keyOf(bytes) {
  return String.fromCharCode(...bytes);
}

/** The text tokens by their bytes, and the length of the longest. */
function textTokens() {
  if (state.byBytes) return state.byBytes;
  const ids = new Map();
  let longest = 0;
  for (const id of allTokens()) {
    const bytes = bytesOfToken(id);
    if (!bytes?.length || ids.has(keyOf(bytes))) continue;
    ids.set(keyOf(bytes), id);
    longest = Math.max(longest, bytes.length);
  }
  return (state.byBytes = { ids, longest });
}

/** The fewest tokens of a text, and what is left of it that none spells. */
function spell(text) {
  const bytes = utf8.encode(text).slice(0, MOST_TEXT);
  const { ids, longest } = textTokens();
  const all = keyOf(bytes);
  // For each length of the text that tokens spell: how many, and the last of them.
  const best = [{ count: 0 }];
  for (let end = 1; end <= all.length; end++) {
    for (let begin = Math.max(0, end - longest); begin < end; begin++) {
      const [before, id] = [best[begin], ids.get(all.slice(begin, end))];
      if (before && id !== undefined && !(best[end]?.count <= before.count + 1)) best[end] = { count: before.count + 1, id, begin };
    }
  }
  const spelled = best.length - 1;
  const tokens = [];
  for (let at = spelled; at > 0; at = best[at].begin) tokens.push(best[at].id);
  return { tokens: tokens.reverse(), rest: new TextDecoder().decode(bytes.slice(spelled)) };
}

/** Commits tokens up to a position, as far as they are allowed. */
function moveTo(target) {
  const { matcher } = state;
  const behind = state.at - target;
  state.refused = false;
  if (behind > 0) {
    if (behind <= MOST_ROLLBACK) matcher.rollback(behind);
    else restart();
    state.at = behind <= MOST_ROLLBACK ? target : 0;
  }
  while (state.at < Math.min(target, state.tokens.length)) {
    try {
      matcher.commit(state.tokens[state.at]);
    } catch (error) {
      if (error.code !== 'refused') throw error;
      state.refused = true;
      break;
    }
    state.at += 1;
  }
}

/** Begins anew with the budget. */
function restart() {
  state.matcher.free();
  state.matcher = state.grammar.matcher({ maxRollback: MOST_ROLLBACK });
  const note = element('budget-note');
  note.hidden = true;
  if (state.budget === Infinity) return;
  try {
    state.matcher.setBudget(state.budget);
  } catch (error) {
    note.hidden = false;
    note.textContent = `The budget is not used: ${error.message}.`;
  }
}

function setTokens(tokens, rest = '') {
  const same = tokens.findIndex((token, index) => token !== state.tokens[index]);
  moveTo(Math.min(state.at, same < 0 ? tokens.length : same));
  state.tokens = tokens;
  state.rest = rest;
}

/** The text was typed: the tokens that still spell its beginning stay. */
function typed() {
  const text = element('text').value;
  let [kept, length] = [0, 0];
  for (const id of state.tokens) {
    const next = textOf(state.tokens.slice(0, kept + 1));
    if (!text.startsWith(next) || next === text.slice(0, length)) break;
    [kept, length] = [kept + 1, next.length];
  }
  // The last token may be joined with what was typed behind it.
  kept = Math.max(0, kept - 1);
  const head = state.tokens.slice(0, kept);
  const { tokens, rest } = spell(text.slice(textOf(head).length));
  setTokens([...head, ...tokens], rest);
  moveTo(state.tokens.length);
  show({ text: false });
}

function append(tokens) {
  setTokens([...state.tokens.slice(0, state.at), ...tokens]);
  moveTo(state.tokens.length);
  show();
}

function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}

/** The allowed tokens of a matcher whose texts have a part, by what they begin with. */
function grouped(matcher, part = '') {
  const groups = new Map();
  for (const id of allowedTokens(matcher)) {
    if (part && !tokenText(id).toLowerCase().includes(part)) continue;
    const group = groupOf(id);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(id);
  }
  return groups;
}

/** A random token: first what it begins with, of which white space and escapes are rare, then the token; none at the end of a text that no token ends. */
function drawnBy(matcher) {
  const groups = [...grouped(matcher)].flatMap(([name, ids]) => Array(RARE.has(name) ? 1 : 16).fill(ids));
  if (matcher.isAccepting && state.vocabulary.endTokens.length === 0) groups.push(...Array(16).fill([]));
  return groups.length ? anyOf(anyOf(groups)) : undefined;
}

/** Tokens drawn at random up to the end of the text, which a budget leads to. */
function randomCompletion() {
  const drawn = [];
  const fork = state.matcher.fork();
  try {
    const most = Math.min(MOST_COMPLETION, Math.max(fork.minRemaining + 40, 60));
    if (fork.remaining > most) fork.setBudget(most);
  } catch {
    // Without budgets, the draw ends where it happens to end.
  }
  while (drawn.length < MOST_COMPLETION && !fork.isTerminated) {
    const token = drawnBy(fork);
    if (token === undefined) break;
    fork.commit(token);
    drawn.push(token);
  }
  fork.free();
  append(drawn);
}

/** The mean time of a mask in microseconds: clocks of browsers are coarse. */
function measure() {
  const begun = performance.now();
  let count = 0;
  do {
    for (let turn = 0; turn < 16; turn++) state.matcher._call('matcher_fill');
    count += 16;
  } while (performance.now() - begun < 2 && count < 4096);
  return ((performance.now() - begun) * 1000) / count;
}

/** The readings of the text up to the position; none if the output has ended. */
function seenHere() {
  if (state.matcher.isTerminated) return { heads: [], all: 0 };
  state.matcher._call('matcher_look');
  return state.library._json();
}

/** How the text up to the position is read, and what is expected; undefined if the source cannot be read here. */
function traceOf(text) {
  if (!state.library.hasCompiler) return { failed: 'the page has no compiler' };
  try {
    state.library._callWith(utf8.encode(JSON.stringify({ given: state.given, text })), 'trace');
    return state.library._json();
  } catch (error) {
    return { failed: error.message };
  }
}

/** Where a schema describes what comes at places of a text, each with the bytes before it and a terminal, and the values around its end. */
function schemaPlaces(text, asked) {
  const located = (pointers) => pointers.map((pointer) => ({ pointer }));
  if (!state.library.hasCompiler) return { places: asked.map(() => []), around: [] };
  try {
    state.library._callWith(utf8.encode(JSON.stringify({ given: state.given, text, asked })), 'places_in');
    const { places, around } = state.library._json();
    return { places: places.map(located), around: around.flat() };
  } catch {
    return { places: asked.map(() => []), around: [] };
  }
}

/** The places of terminals behind a text. */
function placesBehind(text, names) {
  if (!state.schema) return names.map(placesOfTerminal);
  const { length } = utf8.encode(text);
  return schemaPlaces(text, names.map((name) => [length, name])).places;
}

/** The places of lexemes. */
function placesOfLexemes(text, lexemes) {
  if (!state.schema) return lexemes.map(({ terminal }) => (terminal ? placesOfTerminal(terminal) : []));
  let at = 0;
  const begins = lexemes.map(({ bytes }) => (at += bytes) - bytes);
  return schemaPlaces(text, lexemes.map(({ terminal }, index) => [begins[index], terminal ?? ''])).places;
}

/** The name of what leads to an LR state. `around` are the places of the schemas around the end of the text. */
function nameOf(lr, around) {
  const symbol = state.about.symbols?.[lr];
  if (!symbol) return { name: lr === 0 ? 'bottom' : `state ${lr}`, places: [] };
  const [kind, number] = symbol;
  const name = (kind === 0 ? state.about.terminals : state.about.rules)?.[number];
  const known = (kind === 0 ? state.places?.terminals : state.places?.rules)?.[number];
  const places = known && known[0] === name ? refined(name, applied([known[1]].flat().filter(Boolean), around)) : [];
  return { name: name ?? (kind === 0 ? `terminal ${number}` : `part ${number}`), isNamed: name !== undefined, places };
}

function placesOfTerminal(name) {
  const known = state.places?.terminals.find(([other]) => other === name);
  return known ? known[1] : [];
}

/** The value at a JSON Pointer of the schema. */
function schemaAt(pointer) {
  const within = (value, part) => (value !== null && typeof value === 'object' ? value[part] : undefined);
  return segments(pointer).reduce(within, state.schema);
}

function segments(pointer) {
  return pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Equal schemas share a rule, which has the place of one of them: the places of those that the text is in. */
function applied(places, around) {
  if (!state.schema) return places;
  const equals = (one, other) => one !== undefined && JSON.stringify(one) === JSON.stringify(other);
  const all = places.flatMap(({ pointer }) => around.filter((here) => here === pointer || equals(schemaAt(here), schemaAt(pointer))));
  return [...new Set(all)].map((pointer) => ({ pointer }));
}

/** The places of a key of an object: in each schema that names it, its property. */
function refined(name, places) {
  const key = /^"((?:[^"\\]|\\.)*)":$/.exec(name);
  if (!key || !state.schema) return places;
  const text = JSON.parse(`"${key[1]}"`);
  const property = ({ pointer }) => `${pointer}/properties/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const found = places.map(property).filter((pointer) => schemaAt(pointer) !== undefined);
  return found.length ? found.map((pointer) => ({ pointer })) : places;
}

/** The places of symbols that stand one behind the other: a value behind the key of an object is where the key is. */
function inOrder(symbols) {
  return symbols.map(({ name, places }, index) => {
    const before = symbols[index - 1];
    return before && name !== before.name && /^".*":$/.test(before.name) && state.schema ? before.places : places;
  });
}

function placeButton(place) {
  const text = place.pointer === undefined ? `line ${place.line}` : place.pointer === '' ? '# (whole schema)' : `#${place.pointer}`;
  return node('button', { class: 'place', type: 'button', title: 'Show it in the source', onclick: () => goTo(place) }, text);
}

/** Selects a place in the source. */
function goTo(place) {
  const source = element('source');
  const text = source.value;
  let [start, end] = [0, 0];
  if (place.pointer === undefined) {
    const lines = text.split('\n');
    start = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    end = start + (lines[place.line - 1]?.length ?? 0);
  } else {
    for (const part of segments(place.pointer)) {
      const key = JSON.stringify(part);
      const found = text.indexOf(key, end);
      if (found >= 0) [start, end] = [found, found + key.length];
    }
  }
  source.focus();
  source.setSelectionRange(start, end);
  source.scrollTop = Math.max(0, (text.slice(0, start).split('\n').length - 4) * 18);
  source.scrollIntoView({ block: 'nearest' });
}

/** The first of the names of terminals that may come behind a text, with their places. */
function named(names, text) {
  const some = names.slice(0, 30);
  const places = placesBehind(text, some);
  return some.flatMap((name, index) => [node('code', {}, name), ' ', ...places[index].slice(0, 3).map(placeButton), ' ']);
}

function paragraph(...children) {
  return node('p', {}, ...children);
}

/** Explains why a token may not come next. */
function explain(asked) {
  const byId = /^#(\d+)$/.exec(asked);
  const bytes = byId ? bytesOfToken(Number(byId[1])) : utf8.encode(asked);
  const special = byId ? state.specials.get(Number(byId[1])) : undefined;
  const exact = byId ? Number(byId[1]) : allTokens().find((id) => sameBytes(bytesOfToken(id), bytes));
  const label = node('code', {}, byId ? tokenText(exact) : shown(asked));
  if (exact !== undefined && state.matcher.allows(exact)) return [paragraph(label, ' is allowed here.')];
  if (special !== undefined) return [paragraph(label, ' is a special token, which the grammar does not name here. Special tokens match no text.')];
  if (!bytes) return [paragraph(`No token has the id ${asked}.`)];
  const answer = exact === undefined ? [paragraph(label, ' is no token of the vocabulary; what follows is about its bytes.')] : [];
  if (state.matcher.isTerminated) return [...answer, paragraph('The output has ended: nothing may follow.')];
  const possible = state.library._callWith(bytes, 'matcher_validate_bytes', state.matcher._number);
  if (possible === bytes.length) {
    const why = state.budget === Infinity ? 'no sequence of tokens completes the text behind it' : 'the text cannot be completed within the budget behind it';
    return [...answer, paragraph('Its bytes may come here', exact === undefined ? '.' : `, but ${why}.`)];
  }
  const head = bytes.slice(0, possible);
  const fine = new TextDecoder().decode(head);
  const next = tokenByte(bytes[possible]);
  answer.push(possible === 0 ? paragraph('It cannot begin here: ', node('code', {}, next), ' is not possible.') : paragraph('Its beginning ', node('code', {}, shown(fine)), ' may come here; behind that, ', node('code', {}, next), ' may not.'));
  const text = textOf(state.tokens.slice(0, state.at)) + fine;
  const { stuck, failed } = traceOf(text);
  if (failed === undefined) {
    for (const { reading, expected } of stuck.slice(0, 3)) {
      if (reading) answer.push(paragraph('Behind the part of a lexeme ', node('code', {}, shown(reading)), ', the parser expects ', ...named(expected, text)));
      else if (expected.length) answer.push(paragraph('There the parser expects ', ...named(expected, text)));
    }
  }
  const near = nearTokens(head);
  if (near.length) answer.push(paragraph('Near and allowed: ', ...near.flatMap((id) => [tokenButton(id), ' '])));
  return answer;
}

function tokenByte(byte) {
  return byte >= 0x21 && byte < 0x7f ? String.fromCharCode(byte) : byte === 0x20 ? '␣' : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}

function sameBytes(one, other) {
  return one !== undefined && one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function allTokens() {
  return Array.from({ length: state.vocabulary.width }, (_, id) => id);
}

function* allowedTokens(matcher = state.matcher) {
  for (const [first, behind] of matcher.allowedRanges) for (let id = first; id < behind; id++) yield id;
}

/** Allowed tokens that share the longest beginning. */
function nearTokens(head) {
  const shared = (id) => {
    const bytes = bytesOfToken(id) ?? new Uint8Array();
    let count = 0;
    while (count < head.length && count < bytes.length && bytes[count] === head[count]) count++;
    return count;
  };
  const all = [...allowedTokens()].map((id) => [shared(id), id]);
  const best = all.reduce((most, [count]) => Math.max(most, count), 0);
  return all.filter(([count]) => count === best).slice(0, 5).map(([, id]) => id);
}

function tokenButton(id, attributes = {}) {
  const isSpecial = state.specials.has(id);
  return node('button', { class: `token${isSpecial ? ' special' : ''}`, type: 'button', title: `token ${id}`, onclick: () => append([id]), ...attributes }, tokenText(id));
}

/** The group of a token: what its first character is. */
function groupOf(id) {
  if (state.specials.has(id)) return 'special tokens';
  const bytes = bytesOfToken(id);
  const first = bytes?.[0];
  if (first === undefined) return 'others';
  if (first === 0x20) return 'space first';
  if (first === 9 || first === 10 || first === 13) return 'line breaks and tabs';
  if (first >= 0x30 && first <= 0x39) return 'digits';
  if ((first | 32) >= 0x61 && (first | 32) <= 0x7a) return 'letters';
  if (first >= 0x80) return 'other characters';
  return first > 0x20 && first < 0x7f ? `beginning with ${String.fromCharCode(first)}` : 'control characters';
}

function showGroups() {
  const search = element('search').value.toLowerCase();
  const sorted = [...grouped(state.matcher, search)].sort(([, one], [, other]) => one.length - other.length);
  const few = sorted.reduce((sum, [, ids]) => sum + ids.length, 0) <= 60;
  const shownGroups = sorted.map(([name, ids]) => {
    const list = node('div');
    const fill = () => {
      if (list.childElementCount) return;
      const sample = ids.slice().sort((one, other) => tokenText(one).length - tokenText(other).length).slice(0, MOST_SHOWN);
      list.append(...sample.map((id) => tokenButton(id)));
      if (ids.length > sample.length) list.append(node('span', { class: 'note' }, `… and ${number(ids.length - sample.length)} more: search`));
    };
    const details = node('details', { open: few || !!search, ontoggle: fill }, node('summary', {}, `${name}: ${number(ids.length)}`), list);
    if (few || search) fill();
    return details;
  });
  redraw('groups', ...(shownGroups.length ? shownGroups : [node('p', { class: 'note' }, search ? 'No allowed token has this text.' : 'No token may come next.')]));
}

function number(count) {
  return count === Infinity ? '∞' : count.toLocaleString('en');
}

function showTokens() {
  const strip = state.tokens.map((id, index) => {
    const kind = index === state.at ? (state.refused ? ' refused' : ' here') : index > state.at ? ' ahead' : '';
    return node('span', { role: 'listitem' }, node('button', { class: `token${kind}${state.specials.has(id) ? ' special' : ''}`, type: 'button', title: `token ${id}, step ${index + 1}`, 'aria-current': index === state.at ? 'step' : undefined, onclick: () => (moveTo(index), show()) }, tokenText(id)));
  });
  if (state.rest) strip.push(node('span', { role: 'listitem', class: 'token refused', title: 'no token spells this' }, shown(state.rest.slice(0, 200))));
  redraw('tokens', ...strip);
  element('tokens').querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

function showState() {
  const { matcher } = state;
  const parts = [`Step ${state.at} of ${state.tokens.length}.`];
  if (matcher.isTerminated) parts.push('The output has ended.');
  else if (matcher.isAccepting) parts.push('The text is complete; it may end here.');
  const count = matcher.countAllowed;
  parts.push(`${number(count)} ${count === 1 ? 'token' : 'tokens'} may come next.`);
  const forced = matcher.forcedText(256);
  const least = leastRemaining();
  if (least !== undefined && !matcher.isTerminated) parts.push(least === Infinity ? 'No completion is known.' : `At least ${number(least)} more ${least === 1 ? 'token completes' : 'tokens complete'} the text.`);
  if (matcher.remaining !== Infinity) parts.push(`Budget left: ${number(matcher.remaining)}.`);
  const children = [parts.join(' ')];
  if (forced) children.push(' Forced: ', node('code', { class: 'good' }, shown(forced)), '.');
  if (state.refused) children.push(' ', node('strong', { class: 'bad' }, `The token “${tokenText(state.tokens[state.at])}” is refused.`));
  if (state.rest) children.push(' ', node('strong', { class: 'bad' }, 'No token spells the rest.'));
  element('state').replaceChildren(...children);
  const [atBeginning, atEnd] = [state.at === 0, state.at >= state.tokens.length || state.refused];
  const steps = { first: atBeginning, back: atBeginning, forward: atEnd, last: atEnd };
  const noShortest = least === undefined || least === Infinity || matcher.isTerminated;
  disable({ ...steps, force: !forced, random: matcher.isTerminated || count === 0, shortest: noShortest });
}

function leastRemaining() {
  try {
    return state.matcher.minRemaining;
  } catch {
    return undefined;
  }
}

function table(columns, rows, mark) {
  const cell = (kind, value, index) => node(kind, { class: columns[index].startsWith('#') ? 'number' : 'code' }, ...[value].flat());
  const head = node('tr', {}, ...columns.map((name, index) => cell('th', name.replace('#', ''), index)));
  const body = rows.map((row, index) => node('tr', { class: index === mark ? 'here' : undefined }, ...row.map((value, column) => cell('td', value, column))));
  return node('table', {}, node('thead', {}, head), node('tbody', {}, ...body));
}

/** The symbols of a stack, top first. Parts of rules have names in the trace only, where that has the same stack. */
function symbolsOf(head, traced, around) {
  const symbols = head.stack.map((lr) => nameOf(lr, around));
  const same = traced.stuck?.find(({ stack, depth }) => depth + 1 === head.depth && stack.slice().reverse().every((name, index) => !symbols[index] || !symbols[index].isNamed || symbols[index].name === name));
  const names = same?.stack.slice().reverse() ?? [];
  return symbols.map((symbol, index) => (symbol.isNamed ? symbol : { ...symbol, name: names[index] ?? symbol.name }));
}

function showStacks(seen, traced) {
  const text = textOf(state.tokens.slice(0, state.at));
  const around = state.schema ? schemaPlaces(text, []).around : [];
  const stacks = seen.heads.map((head, index) => {
    const pending = head.pending.map((terminal) => state.about.terminals?.[terminal] ?? `terminal ${terminal}`);
    const symbols = symbolsOf(head, traced, around);
    const places = inOrder(symbols.slice().reverse()).reverse();
    const rows = symbols.map(({ name }, depth) => {
      const cell = head.cells[depth];
      return [String(head.depth - 1 - depth), node('code', {}, name), places[depth].slice(0, 3).flatMap((place) => [placeButton(place), ' ']), cell ? `s${cell.state}: d${cell.from} → ${cell.to === 0 ? 'stop' : `d${cell.to}`}` : '', cell ? `+${number(cell.tokens)}` : ''];
    });
    const title = seen.all > 1 ? `Reading ${index + 1} of ${seen.all}` : undefined;
    return node('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title ?? 'Stack' }, ...(title ? [node('h3', {}, title)] : []), node('p', { class: 'note' }, `Lexer state q${head.lexer}`, ...(pending.length ? ['; the lexeme under way may be ', ...named(pending, text)] : [])), table(['#level', 'symbol, top first', 'place', 'cell read', '#tokens'], rows), ...(head.depth > head.stack.length ? [node('p', { class: 'note' }, `… and ${head.depth - head.stack.length} more`)] : []));
  });
  element('stacks').replaceChildren(...(stacks.length ? stacks : [node('p', { class: 'note' }, 'There is no stack: the output has ended.')]));
}

function showLexemes(traced) {
  const text = textOf(state.tokens.slice(0, state.at));
  if (traced.failed !== undefined) {
    element('lexemes').replaceChildren(node('p', { class: 'note' }, `Lexemes cannot be shown: ${traced.failed.split('\n')[0]}`));
    return;
  }
  const lexemes = traced.lexemes.slice(-MOST_SHOWN);
  const places = placesOfLexemes(text, traced.lexemes).slice(-MOST_SHOWN);
  const rows = lexemes.map((lexeme, index) => {
    const stack = `${lexeme.depth > lexeme.stack.length ? '… ' : ''}${lexeme.stack.join(' ')}`;
    return [node('span', { class: 'at' }, `${lexeme.line}:${lexeme.column}`), node('code', {}, shown(lexeme.text)), lexeme.terminal ?? '(ignored)', places[index].slice(0, 3).flatMap((place) => [placeButton(place), ' ']), stack];
  });
  const ends = traced.stuck.slice(0, 3).filter(({ expected }) => expected.length).map(({ expected, reading }) => node('p', {}, ...(reading ? ['Reading ', node('code', {}, shown(reading)), '; '] : []), 'expected: ', ...named(expected, text)));
  element('lexemes').replaceChildren(...(rows.length ? [table(['at', 'lexeme', 'terminal', 'place', 'stack behind it'], rows)] : []), ...ends, ...(rows.length || ends.length ? [] : [node('p', { class: 'note' }, 'No lexeme yet.')]));
}

/** Measures the step where the matcher is. */
function measureStep(seen) {
  const cells = seen.heads.reduce((sum, head) => sum + head.cells.length, 0);
  state.costs[state.at] = { time: measure(), cells, heads: seen.all, allowed: state.matcher.countAllowed };
  state.costs.length = Math.min(state.costs.length, state.tokens.length + 1);
}

/** Measures all steps of the text, and goes back to the step that is shown. */
function measureAll() {
  const { at, refused } = state;
  const last = Math.min(refused ? at : state.tokens.length, MOST_MEASURED);
  for (let step = 0; step <= last; step++) {
    moveTo(step);
    measureStep(seenHere());
  }
  moveTo(at);
  state.refused = refused;
  show();
}

/** The times of masks by step: a bar for each step that was measured. */
function plotOf(known, mark) {
  // A clock may say that nothing took any time.
  const most = Math.max(...known.map(([, { time }]) => time), 0.001);
  const width = 100 / known.length;
  const bars = known.map(([step, { time }], index) => {
    const bar = drawing('rect', { x: index * width, y: 30 - (30 * time) / most, width: 0.8 * width, height: (30 * time) / most, class: index === mark ? 'here' : undefined });
    bar.append(drawing('title', {}, `Step ${step}: ${time.toFixed(2)} µs`));
    return bar;
  });
  const plot = drawing('svg', { viewBox: '0 0 100 30', preserveAspectRatio: 'none', class: 'plot', role: 'img', 'aria-label': `Times of masks by step, at most ${most.toFixed(2)} µs` }, ...bars);
  return [node('p', { class: 'note' }, `Time of a mask by step: at most ${most.toFixed(2)} µs.`), plot];
}

function showCosts(seen) {
  measureStep(seen);
  const all = Object.entries(state.costs);
  const known = all.slice(-MOST_SHOWN);
  const rows = known.map(([step, cost]) => [step, Number(step) < state.tokens.length ? node('code', {}, tokenText(state.tokens[step])) : '', cost.time.toFixed(2), number(cost.cells), number(cost.heads), number(cost.allowed)]);
  const here = (entries) => entries.findIndex(([step]) => Number(step) === state.at);
  const plot = all.length > 1 ? plotOf(all, here(all)) : [];
  element('costs').replaceChildren(...plot, table(['#step', 'next token', '#mask, µs', '#cells', '#readings', '#allowed'], rows, here(known)), node('p', { class: 'note' }, 'Steps that were looked at. Times are means on this machine, in WebAssembly.'));
}

/** Draws a part of the page anew. What had the focus in it keeps it, or what stands there then, or the text if nothing does. */
function redraw(id, ...children) {
  const buttons = () => [...element(id).querySelectorAll('button, summary')];
  const focused = buttons().indexOf(document.activeElement);
  element(id).replaceChildren(...children);
  if (focused >= 0) (buttons().slice(0, focused + 1).at(-1) ?? element('text')).focus();
}

/** Disables buttons. If one of them has the focus, another of its group gets it. */
function disable(states) {
  const { activeElement } = document;
  for (const [id, isDisabled] of Object.entries(states)) element(id).disabled = isDisabled;
  if (activeElement.disabled) activeElement.parentElement.querySelector('button:enabled')?.focus();
}

function show({ text = true } = {}) {
  if (text) element('text').value = textOf(state.tokens) + state.rest;
  element('why-answer').replaceChildren();
  showTokens();
  showState();
  showGroups();
  const seen = seenHere();
  const traced = traceOf(textOf(state.tokens.slice(0, state.at)));
  showStacks(seen, traced);
  showLexemes(traced);
  showCosts(seen);
  if (state.refused) element('why-answer').replaceChildren(...explain(`#${state.tokens[state.at]}`));
}

/** What a grammar that was compiled here says about itself, and where its rules and terminals stand. */
function outlineOf(grammar, given) {
  grammar._call('grammar_outline');
  const about = state.library._json();
  state.library._callWith(utf8.encode(JSON.stringify(given)), 'source_outline');
  return { about, places: state.library._json() };
}

/** Goes on with another grammar, and the same text. */
function use(grammar, given, { about, places }) {
  state.matcher?.free();
  if (state.grammar && state.grammar !== grammar) state.grammar.free();
  Object.assign(state, { grammar, given, about, places, at: 0, costs: [], refused: false });
  state.schema = undefined;
  if (state.about.format === 'json-schema') state.schema = JSON.parse(state.about.source);
  state.matcher = grammar.matcher();
  restart();
  const stats = new Map(state.about.stats);
  const sizes = ['LR states', 'lexer states', 'masks'].filter((name) => stats.has(name)).map((name) => `${number(stats.get(name))} ${name}`);
  element('about').textContent = `${given.name ?? data.name}: ${state.about.format}, ${number(state.vocabulary.width)} tokens. ${sizes.join(', ')}. ${state.about.liveness}.`;
  moveTo(state.tokens.length);
  show();
}

function problem(error) {
  element('problem').hidden = !error;
  element('problem').textContent = error ? error.message : '';
}

/** Compiles what is in the source. */
function compileSource() {
  const notation = element('notation').value;
  const source = element('source').value;
  try {
    const options = JSON.parse(element('options').value.trim() || '{}');
    const given = { notation, source, options };
    const number = state.library._callWith(utf8.encode(JSON.stringify(given)), 'compile', state.vocabulary._number);
    problem(undefined);
    const grammar = new Grammar(state.library, number, []);
    use(grammar, given, outlineOf(grammar, given));
  } catch (error) {
    problem(error);
    if (state.library.isStopped) begin().then(() => problem(error));
  }
}

const STEPS = {
  first: () => moveTo(0),
  back: () => moveTo(state.at - 1),
  forward: () => moveTo(state.at + 1),
  last: () => moveTo(state.tokens.length),
};

function listen() {
  const on = (id, event, action) => element(id).addEventListener(event, action);
  const step = (name) => {
    if (element(name).disabled) return;
    STEPS[name]();
    show();
  };
  for (const name of Object.keys(STEPS)) on(name, 'click', () => step(name));
  on('text', 'input', typed);
  on('search', 'input', showGroups);
  on('measure', 'click', measureAll);
  on('force', 'click', () => append(spell(state.matcher.forcedText(256)).tokens));
  on('random', 'click', randomCompletion);
  on('shortest', 'click', () => append([...state.matcher.shortestCompletion()]));
  on('why-form', 'submit', (event) => {
    event.preventDefault();
    const asked = element('why').value;
    element('why-answer').replaceChildren(...(asked ? explain(asked) : []));
  });
  on('budget', 'change', () => {
    const budget = Number.parseInt(element('budget').value, 10);
    state.budget = budget > 0 ? budget : Infinity;
    restart();
    state.at = 0;
    moveTo(state.tokens.length);
    show();
  });
  on('source-form', 'submit', (event) => {
    event.preventDefault();
    compileSource();
  });
  const keys = { Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last' };
  document.addEventListener('keydown', (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.toLowerCase() === 'r' && !element('random').disabled) randomCompletion();
    else if (keys[event.key]) step(keys[event.key]);
    else return;
    event.preventDefault();
  });
}

/** Makes an instance, and opens what is in the page. */
async function begin() {
  state.library = await init(state.library ? undefined : await unpack(data.module));
  state.vocabulary = state.library.openVocabulary(await unpack(data.vocabulary));
  state.specials = new Map([...state.vocabulary.specialTokens].map(([name, id]) => [id, name]));
  state.matcher = state.grammar = undefined;
  const { name, outline } = data;
  const { format: notation, source, options } = outline.about;
  use(state.library.open(await unpack(data.artifact), state.vocabulary), { notation, source, options, name }, outline);
}

async function main() {
  const { format, source, options } = data.outline.about;
  element('notation').append(...data.notations.map((name) => node('option', { value: name, selected: name === format }, name)));
  element('source').value = source;
  element('options').value = Object.keys(options).length ? JSON.stringify(options) : '';
  await begin();
  for (const part of document.querySelectorAll('[data-needs-compiler]')) part.hidden = !state.library.hasCompiler;
  element('no-compiler').hidden = state.library.hasCompiler;
  listen();
  document.documentElement.dataset.ready = 'true';
}

main().catch((error) => {
  element('about').textContent = `The explorer cannot start: ${error.message}`;
  element('about').className = 'bad';
});
