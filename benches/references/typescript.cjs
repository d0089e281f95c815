// Tells whether TypeScript's own parser parses each file named on the standard input, and why not.
// Needs the package `typescript`: NODE_PATH=…/node_modules node typescript.cjs
const fs = require('node:fs');
const ts = require('typescript');

for (const file of fs.readFileSync(0, 'utf8').split('\n').filter((line) => line !== '')) {
  const text = fs.readFileSync(file, 'utf8');
  const parsed = ts.createSourceFile('text.ts', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const [first] = parsed.parseDiagnostics;
  console.log(first === undefined ? 'ok' : `error: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`);
}
