import { desc, eq } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { lastSnapshot } from './snapshots.ts';
import { changes as table } from './tables.ts';

/** Why the service could choose no integration, as far as the environment's integrations tell. */
export type NoChoice =
  | { is: 'gone'; name: string; removedAt: Date | null }
  | { is: 'off'; name: string }
  | { is: 'none-active'; channel: string; integrations: number }
  | { is: 'none-primary'; channel: string; active: number };

interface Wanted {
  channel: string;
  /** The integration that the trigger names. */
  named: string | null;
}

/** Returns null where nothing of today's integrations explains it. */
export async function whyNoChoice(db: Db, environment: string, { channel, named }: Wanted): Promise<NoChoice | null> {
  const snapshot = await lastSnapshot(db, environment);
  if (snapshot === null) return null;
  const known = snapshot.integrations.filter((integration) => !integration.deleted);
  if (named !== null) {
    const listed = known.find((integration) => isNamed(integration, named));
    if (listed !== undefined) return listed.active ? null : { is: 'off', name: named };
    return { is: 'gone', name: named, removedAt: await removalOf(db, environment, named) };
  }
  const ofChannel = known.filter((integration) => integration.channel === channel);
  const active = ofChannel.filter((integration) => integration.active);
  if (active.length === 0) return { is: 'none-active', channel, integrations: ofChannel.length };
  return active.some(({ primary }) => primary) ? null : { is: 'none-primary', channel, active: active.length };
}

/** What an older version stored has no identifier. */
const isNamed = ({ name, identifier = name }: { name: string; identifier?: string | undefined }, named: string) =>
  identifier === named;

/** Older changes aren't searched for the removal of an integration. */
const MOST_CHANGES = 500;

async function removalOf(db: Db, environment: string, named: string): Promise<Date | null> {
  const isHere = eq(table.environment, environment);
  const newest = await db.select().from(table).where(isHere).orderBy(desc(table.id)).limit(MOST_CHANGES);
  const removal = newest.find(({ what }) => {
    return what?.kind === 'integration' && isNamed(what, named) && /^(?:removed|deleted)$/.test(what.aspects.join());
  });
  return removal?.at ?? null;
}
