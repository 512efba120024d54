import type { Excerpt } from './story.ts';
import type { Size, Switch } from './world.ts';

/** A combination: what it takes to play it again. */
export interface Combination {
  readonly seed: number;
  readonly switches: readonly Switch[];
  /** Null: the whole story. */
  readonly excerpt: Excerpt | null;
  readonly size: Size;
}

/** So many combinations may be played to find the smallest one that fails. */
const MOST_TRIES = 60;

/**
 * The smallest combination found that still fails: first without the switches that don't matter, one by one, then with an ever shorter part of
 * its story, halved from either end. `events`: how many the story has. `fails` plays one.
 */
export async function shrink(
  failing: Combination,
  events: number,
  fails: (combination: Combination) => Promise<boolean>,
): Promise<Combination> {
  let smallest = failing;
  let tries = 0;
  const stillFails = async (candidate: Combination) => {
    if (tries >= MOST_TRIES) return false;
    tries += 1;
    if (!(await fails(candidate))) return false;
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

/** How to play a combination again. */
export function commandFor({ seed, switches, excerpt, size }: Combination): string {
  const part = excerpt === null ? '' : ` --events ${excerpt.from}-${excerpt.to}`;
  const on = switches.length === 0 ? 'none' : switches.join(',');
  return `npm run simulate -- --seed ${seed} --switches ${on}${part}${size === 'brief' ? ' --brief' : ''}`;
}
