import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../sandbox/service/random.ts';
import SWITCHES from './switches.json' with { type: 'json' };

/**
 * An independent difficulty of a world: how the Notification Service, Slack or Notif's machine behaves where the contract leaves it open, or
 * at bad times. Any of them can be combined.
 */
export type Switch = keyof typeof SWITCHES;

export const ALL_SWITCHES = Object.keys(SWITCHES).filter(isSwitch);

export function isSwitch(name: string): name is Switch {
  return Object.hasOwn(SWITCHES, name);
}

/** A brief world has fewer polls and events, and a shorter horizon. */
export type Size = 'full' | 'brief';

/** A seed, what's switched on, and a size: all that distinguishes two combinations. */
export interface World {
  seed: number;
  size: Size;
  has(name: Switch): boolean;
  switches: readonly Switch[];
  /**
   * Returns the randomness for one purpose. It depends neither on other switches nor on earlier draws, so a world stays the same except for
   * a switch that's removed.
   */
  random(purpose: string): Random;
}

export function createWorld(seed: number, switches: readonly Switch[], size: Size = 'full'): World {
  const on = new Set(switches);
  return {
    seed,
    size,
    switches: ALL_SWITCHES.filter((name) => on.has(name)),
    has: (name) => on.has(name),
    random: (purpose) => createRandom(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE()),
  };
}

/** How many switches are on at once. Mostly few, so that a failure is easy to understand; some worlds have many. */
const HOW_MANY = [0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 12] as const;

/** So many of the last switches matter for alerts: an absent service, Slack, clocks, processes, watches and people. */
const ABOUT_ALERTS = 32;

/** Returns the switches that a seed draws from the given ones. */
export function drawSwitches(seed: number, among: readonly Switch[] = ALL_SWITCHES): Switch[] {
  const random = createRandom(seed * 7919 + 17);
  // Half of the worlds are difficult only for alerts: most of what goes wrong there takes two difficulties at once.
  const left = random.chance(0.5) ? among.slice(-ABOUT_ALERTS) : [...among];
  const drawn: Switch[] = [];
  for (let wanted = random.pick(HOW_MANY); wanted > 0 && left.length > 0; wanted -= 1) {
    drawn.push(...left.splice(random.between(0, left.length - 1), 1));
  }
  return drawn;
}
