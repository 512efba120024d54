import type { Excerpt } from './story.ts';
import type { Size, Switch } from './world.ts';

/** A combination with everything needed to play it again. */
export interface Combination {
  readonly seed: number;
  readonly switches: readonly Switch[];
  /** Null for the whole story. */
  readonly excerpt: Excerpt | null;
  readonly size: Size;
}

/** For how long smaller combinations are played at most. */
const SHRINK_MS = 60_000;

/**
 * Returns the smallest combination found that still fails: first it removes switches that don't matter, one by one, then ever smaller parts
 * of the story from either end. `events` is the story's number of events. `fails` plays a combination.
 */
export async function shrink(
  failing: Combination,
  events: number,
  fails: (combination: Combination) => Promise<boolean>,
): Promise<Combination> {
  let smallest = failing;
  const end = Date.now() + SHRINK_MS;
  const stillFails = async (candidate: Combination) => {
    if (Date.now() >= end || !(await fails(candidate))) return false;
    smallest = candidate;
    return true;
  };
  for (const name of failing.switches) {
    await stillFails({ ...smallest, switches: smallest.switches.filter((other) => other !== name) });
  }
  let { from, to } = failing.excerpt ?? { from: 0, to: events - 1 };
  for (let step = Math.ceil((to - from) / 2); step >= 1; ) {
    if (await stillFails({ ...smallest, excerpt: { from, to: to - step } })) to -= step;
    else if (await stillFails({ ...smallest, excerpt: { from: from + step, to } })) from += step;
    else if (step === 1) break;
    else step = Math.ceil(step / 2);
    step = Math.min(step, to - from);
  }
  return smallest;
}

/** Returns the command that plays a combination again. */
export function commandFor({ seed, switches, excerpt, size }: Combination): string {
  const part = excerpt === null ? '' : ` --events ${excerpt.from}-${excerpt.to}`;
  const on = switches.length === 0 ? 'none' : switches.join(',');
  return `npm run simulate -- --seed ${seed} --switches ${on}${part}${size === 'brief' ? ' --brief' : ''}`;
}
