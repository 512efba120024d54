import type { Db } from '../../src/store/db.ts';
import type { OpenDb } from '../../src/store/open.ts';
import { accountFor, type Discrepancy } from './account.ts';
import { tablesOf } from './failover.ts';
import { play } from './play.ts';
import type { Excerpt } from './story.ts';
import { takeFacts } from './take-facts.ts';
import { ALL_SWITCHES, createWorld, drawSwitches, type Size, type Switch } from './world.ts';

/** Everything that is needed to play the same world and story again. */
export interface Combination {
  seed: number;
  switches: readonly Switch[];
  /** Null for the whole story. */
  excerpt: Excerpt | null;
  size: Size;
}

/** A combination whose account isn't exact, and the smallest one found that shows it. */
export interface Failing {
  first: Combination;
  smallest: Combination;
  discrepancy: Discrepancy;
}

/** Returns the combination that a seed draws from the given switches. */
export function combinationOf(seed: number, among: readonly Switch[] = ALL_SWITCHES, size: Size = 'full'): Combination {
  return { seed, switches: drawSwitches(seed, among), excerpt: null, size };
}

/** Plays a combination on a database that has the tables and is emptied first. Returns its account. */
async function accountOf({ seed, switches, excerpt, size }: Combination, database: OpenDb) {
  await emptyDatabase(database.db);
  const played = await play(createWorld(seed, switches, size), database, excerpt);
  return { played, discrepancies: accountFor(await takeFacts(played, database.db)) };
}

/** Is far quicker than creating a new database. Rows that are only deleted leave their space, by which Notif counts its statements. */
async function emptyDatabase(db: Db): Promise<void> {
  await db.write(`TRUNCATE ${(await tablesOf(db)).join(', ')} RESTART IDENTITY CASCADE`);
}

/** Plays a combination and, unless `isShrunk` is false, shrinks it if it fails. Null if its account is exact. */
export async function findFailing(first: Combination, database: OpenDb, isShrunk = true): Promise<Failing | null> {
  const { played, discrepancies } = await accountOf(first, database);
  const [found] = discrepancies;
  if (found === undefined) return null;
  let discrepancy = found;
  const fails = async (candidate: Combination) => {
    const same = (await accountOf(candidate, database)).discrepancies.find(({ rule }) => rule === found.rule);
    discrepancy = same ?? discrepancy;
    return same !== undefined;
  };
  return { first, smallest: isShrunk ? await shrink(first, played.story.events.length, fails) : first, discrepancy };
}

/** For how long smaller combinations are played at most. */
const SHRINK_MS = 60_000;

/**
 * Returns the smallest combination found that still fails: first without switches that don't matter, then with ever smaller parts of the
 * story, which has `events` events. `fails` plays a combination.
 */
async function shrink(
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
  for (const name of failing.switches)
    await stillFails({ ...smallest, switches: smallest.switches.filter((other) => other !== name) });
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

/** Describes what fails, with the command that plays it again. */
export function describeFailing({ first, smallest, discrepancy }: Failing): string {
  return [
    `seed ${first.seed} fails (${discrepancy.rule}): ${discrepancy.sentence}.`,
    `  switches: ${first.switches.join(', ') || 'none'}; smallest found that still fails: ${smallest.switches.join(', ') || 'none'}`,
    `  play it again: ${commandFor(smallest)}`,
  ].join('\n');
}

function commandFor({ seed, switches, excerpt, size }: Combination): string {
  const part = excerpt === null ? '' : ` --events ${excerpt.from}-${excerpt.to}`;
  const on = switches.length === 0 ? 'none' : switches.join(',');
  return `npm run simulate -- --seed ${seed} --switches ${on}${part}${size === 'brief' ? ' --brief' : ''}`;
}
