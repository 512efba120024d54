import type { Stretch } from './facts.ts';
import type { Story } from './story.ts';
import { HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

/** What goes wrong with Notif's own machine, once in a world. Null: it doesn't. */
export interface Troubles {
  /** Its clock is set forward or back. */
  clockStep: { at: number; ms: number } | null;
  /** The first process stands still. */
  frozen: Stretch | null;
  /** The database loses what was written since, at the end. */
  failover: Stretch | null;
  /** Whatever shows this cause throws. */
  bug: (Stretch & { cause: string }) | null;
  /** The moment at which its clock is ahead by `WRONG_MS`. */
  wrongAt: number | null;
}

const LONGEST_CLOCK_STEP_MINUTES = 90;
/** Beyond any retention: a Notif that believed it would delete everything. */
export const WRONG_MS = 400 * 24 * HOUR;

export function drawTroubles(world: World, { start, calmFrom, pollMs, events }: Story): Troubles {
  const random = world.random('our clock');
  const ms = random.between(-LONGEST_CLOCK_STEP_MINUTES, LONGEST_CLOCK_STEP_MINUTES) * MINUTE;
  const clockStep = { at: random.between(start, calmFrom), ms };
  // A process mostly freezes in the middle of a poll.
  const poll = start + Math.floor((random.between(start, calmFrom) - start) / pollMs) * pollMs;
  const from = poll + random.between(0, 600);
  const frozen = { from, to: from + random.between(1, 20) * MINUTE };
  // Most posts come some tenths of a second after a poll.
  const lostTo = poll + random.between(200, 3_000);
  const lostMs = random.between(300, 3_000) * (world.has('backup-restored') ? 300 : 1);
  const failover = { from: Math.max(start, lostTo - lostMs), to: lostTo };
  const bugFrom = random.between(start, calmFrom);
  const bug = {
    cause: random.pick([events[0]?.cause ?? '']),
    from: bugFrom,
    to: bugFrom + random.between(2, 12) * MINUTE,
  };
  return {
    clockStep: world.has('clock-steps') ? clockStep : null,
    frozen: world.has('freezes') ? frozen : null,
    failover: world.has('failover') || world.has('backup-restored') ? failover : null,
    bug: world.has('drawing-fails') ? bug : null,
    wrongAt: world.has('clock-wrong-once') ? poll + 7 * SECOND : null,
  };
}

/** Draws the statements at which processes are killed, in the order of their starts. */
export function drawKills(world: World): number[] {
  if (!world.has('kills')) return [];
  const random = world.random('kills');
  return Array.from({ length: random.between(2, 8) }, () => random.between(0, random.pick([40, 150, 600])));
}

/** Draws when Notif doesn't run. */
export function drawStops(world: World, { start, calmFrom, pollMs }: Story): Stretch[] {
  if (!world.has('not-running')) return [];
  const random = world.random('not running');
  const from = random.between(start + pollMs, calmFrom);
  const longest = world.size === 'brief' ? 33 : 70;
  const { least, most } = random.pick([
    { least: 1, most: 20 },
    { least: 25, most: longest },
  ]);
  return [{ from, to: from + random.between(least, most) * MINUTE }];
}
