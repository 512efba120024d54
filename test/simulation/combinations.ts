import type { OpenDb } from '../../src/store/open.ts';
import { accountFor, type Discrepancy } from './account.ts';
import { emptyDatabase } from './empty-database.ts';
import { play } from './play.ts';
import { type Combination, commandFor, shrink } from './shrink.ts';
import { takeFacts } from './take-facts.ts';
import { ALL_SWITCHES, createWorld, drawSwitches, type Size, type Switch } from './world.ts';

/** A combination whose account isn't exact, the smallest one found that shows it, and the command to play that again. */
export interface Failing {
  readonly first: Combination;
  readonly smallest: Combination;
  readonly discrepancy: Discrepancy;
  readonly command: string;
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

/** Plays a combination and, unless `isShrunk` is false, shrinks it if it fails. Null if its account is exact. */
export async function findFailing(first: Combination, database: OpenDb, isShrunk = true): Promise<Failing | null> {
  const { played, discrepancies } = await accountOf(first, database);
  const [found] = discrepancies;
  if (found === undefined) return null;
  if (!isShrunk) return { first, smallest: first, discrepancy: found, command: commandFor(first) };
  let discrepancy = found;
  const smallest = await shrink(first, played.story.events.length, async (candidate) => {
    const same = (await accountOf(candidate, database)).discrepancies.find(({ rule }) => rule === found.rule);
    discrepancy = same ?? discrepancy;
    return same !== undefined;
  });
  return { first, smallest, discrepancy, command: commandFor(smallest) };
}

/** Describes a failing combination. */
export function describeFailing({ first, smallest, discrepancy, command }: Failing): string {
  return [
    `seed ${first.seed} fails (${discrepancy.rule}): ${discrepancy.sentence}.`,
    `  switches: ${first.switches.join(', ') || 'none'}; smallest found that still fails: ${smallest.switches.join(', ') || 'none'}`,
    `  play it again: ${command}`,
  ].join('\n');
}
