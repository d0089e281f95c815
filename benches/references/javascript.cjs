// Tells whether the parser of V8 accepts each file named on the standard input as a module, and why not. Nothing is run.
// Run as node --experimental-vm-modules --no-warnings javascript.cjs
const fs = require('node:fs');
const vm = require('node:vm');

for (const file of fs.readFileSync(0, 'utf8').split('\n').filter((line) => line !== '')) {
  try {
    new vm.SourceTextModule(fs.readFileSync(file, 'utf8'));
    console.log('ok');
  } catch (error) {
    console.log(`error: ${error.message.split('\n')[0]}`);
  }
}
