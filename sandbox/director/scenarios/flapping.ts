import { outage, quiet } from '../fault-windows.ts';
import { outOfCredits } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario } from '../scenario.ts';

const EVERY = 4 * MINUTE;
const TIMES = 15;

/** A minute in which everything is refused, and three in which nothing is. */
function flap(_: unknown, time: number): readonly FaultWindow[] {
  const from = time * EVERY;
  return [
    outage(outOfCredits, { from, to: from + MINUTE }),
    quiet('SendGrid works again, for three minutes', { from: from + MINUTE, to: from + EVERY }),
  ];
}

export const flapping: Scenario = {
  name: 'flapping',
  title: 'Flapping',
  description: 'For an hour SendGrid refuses everything for a minute, and takes everything for three.',
  lookFor: 'At most one message in ten minutes, with the number of relapses; the row between them stays true.',
  lastsMs: TIMES * EVERY,
  alone: false,
  plan: () => Array.from({ length: TIMES }, flap).flat(),
};
