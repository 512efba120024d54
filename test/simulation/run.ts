import { parseArgs } from 'node:util';
import { playCombinations } from './run-combinations.ts';
import { playWeek } from './run-week.ts';

/**
 * `npm run simulate`: plays random combinations of what can be difficult; `-- --seed 123 --switches ascending,kills` plays one again;
 * `-- --week` plays a week of a million events. Exit code 1 where an account isn't exact. docs/simulation.md has the options.
 */
const { values } = parseArgs({
  options: {
    week: { type: 'boolean', default: false },
    seed: { type: 'string' },
    switches: { type: 'string' },
    events: { type: 'string' },
    combinations: { type: 'string' },
    seconds: { type: 'string' },
    store: { type: 'string', default: 'server' },
    days: { type: 'string', default: '7' },
  },
});

process.exitCode = (await (values.week ? playWeek(values) : playCombinations(values))) ? 0 : 1;
