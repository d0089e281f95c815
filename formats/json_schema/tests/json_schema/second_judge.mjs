// A second judge for the random campaign (oracle.rs): reads its lines `WRONG {"valid": …, "instance": …, "schema": …}`
// from the standard input, and prints the verdict of Ajv for each. The exit code is 1 if Ajv agrees with the first judge
// anywhere, that is, if the grammar is wrong there.
//
//     npm install ajv && cargo test … oracle | node second_judge.mjs
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const Ajv = createRequire(`${process.cwd()}/`)("ajv/dist/2020").default;
let wrong = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.startsWith("WRONG ")) continue;
  const { seed, valid, instance, schema } = JSON.parse(line.slice("WRONG ".length));
  const second = new Ajv({ strict: false, validateFormats: false, logger: false }).validate(schema, instance);
  const agrees = second === valid;
  wrong += agrees;
  console.log(`seed ${seed}: ${agrees ? "both judges say" : "the judges differ; jsonschema says"} valid=${valid}`);
  console.log(`  ${JSON.stringify(instance)} under ${JSON.stringify(schema)}`);
}
console.log(`${wrong} verdicts on which both judges disagree with the grammar`);
process.exit(wrong ? 1 : 0);
