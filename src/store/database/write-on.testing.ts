import { at, failureOf, recordFailures } from '../examples.testing.ts';
import { openStore } from '../store.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A process that opens the data folder it is given and records failure after failure, saying so after each, until it is killed. */
const store = await openStore({ dataDir: process.argv[2] ?? '', logger: silent });
for (let index = 1; ; index++) {
  await recordFailures(store, at(index), [failureOf('a', { eventKey: `event-${index}` })]);
  process.stdout.write(`${index}\n`);
}
