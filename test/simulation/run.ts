import { parseArgs } from 'node:util';
import { playCombinations } from './run-combinations.ts';

/**
 * `npm run simulate`: plays random combinations of what can be difficult; `-- --seed 123 --switches ascending,kills` plays one again;
 * `-- --brief` plays smaller worlds. Exit code 1 where an account isn't exact.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    switches: { type: 'string' },
    events: { type: 'string' },
    combinations: { type: 'string' },
    seconds: { type: 'string' },
    progress: { type: 'string' },
    brief: { type: 'boolean', default: false },
    store: { type: 'string', default: 'drawn' },
  },
});

process.exitCode = (await playCombinations(values)) ? 0 : 1;
