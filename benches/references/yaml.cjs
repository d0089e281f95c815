// Tells whether the package `yaml`, a parser of YAML 1.2, parses each file named on the standard input.
// Duplicate keys and aliases without an anchor are accepted.
// Needs the package `yaml`: NODE_PATH=…/node_modules node yaml.cjs
const fs = require('node:fs');
const { parseAllDocuments } = require('yaml');

const options = { version: '1.2', strict: true, uniqueKeys: false, schema: 'failsafe' };

for (const file of fs.readFileSync(0, 'utf8').split('\n').filter((line) => line !== '')) {
  const documents = parseAllDocuments(fs.readFileSync(file, 'utf8'), options);
  const [first] = [...documents].flatMap((document) => document.errors);
  console.log(first === undefined ? 'ok' : `error: ${first.message.split('\n')[0]}`);
}
