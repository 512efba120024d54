import { parseArgs } from 'node:util';
import { playCombinations } from './run-combinations.ts';
import { measureLate } from './run-late.ts';
import { printNight } from './run-night.ts';
import { playWeek } from './run-week.ts';

/**
 * `npm run simulate`: plays random combinations of what can be difficult; `-- --seed 123 --switches ascending,kills` plays one again;
 * `-- --brief` plays smaller worlds; `-- --week` plays a week of a million events;  `-- --late` measures how late late failures are recorded; `-- --night` prints what #oncall shows in a scripted night. Exit code 1 where an account isn't exact. docs/simulation.md has the options.
 */
const { values } = parseArgs({
  options: {
    week: { type: 'boolean', default: false },
    late: { type: 'boolean', default: false },
    night: { type: 'boolean', default: false },
    rate: { type: 'string' },
    seed: { type: 'string' },
    switches: { type: 'string' },
    events: { type: 'string' },
    combinations: { type: 'string' },
    seconds: { type: 'string' },
    progress: { type: 'string' },
    brief: { type: 'boolean', default: false },
    store: { type: 'string', default: 'drawn' },
    days: { type: 'string' },
  },
});

const { days = values.late ? '4' : '7', ...options } = values;
const play = async () => {
  if (options.night) return printNight();
  if (options.late) return measureLate({ ...options, days });
  return options.week ? playWeek({ ...options, days }) : playCombinations(options);
};
process.exitCode = (await play()) ? 0 : 1;
