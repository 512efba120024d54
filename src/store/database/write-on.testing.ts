import { at, failureOf, recordFailures } from '../examples.testing.ts';
import { openStore } from '../store.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A process that opens the given data folder and records failure after failure, printing after each, until it is killed. */
const store = await openStore({ database: { kind: 'embedded', folder: process.argv[2] ?? '' }, logger: silent });
for (let index = 1; ; index++) {
  await recordFailures(store, at(index), [failureOf('a', { eventKey: `event-${index}` })]);
  process.stdout.write(`${index}\n`);
}
