import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '../store/db.ts';
import { lastSnapshot } from './changes.ts';
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

const MOST_CHANGES = 500;

/** Returns null where nothing of today's integrations explains it. */
export async function whyNoChoice(db: Db, environment: string, { channel, named }: Wanted): Promise<NoChoice | null> {
  const snapshot = await lastSnapshot(db, environment);
  if (snapshot === null) return null;
  const known = snapshot.integrations.filter((integration) => !integration.deleted);
  if (named !== null) {
    const isNamed = ({ name, identifier = name }: { name: string; identifier?: string | undefined }) =>
      identifier === named;
    const listed = known.find(isNamed);
    if (listed !== undefined) return listed.active ? null : { is: 'off', name: named };
    const isEnvironments = and(eq(table.environment, environment));
    const rows = await db.select().from(table).where(isEnvironments).orderBy(desc(table.id)).limit(MOST_CHANGES);
    const removal = rows.find(({ what }) => {
      return what?.kind === 'integration' && isNamed(what) && /^(?:removed|deleted)$/.test(what.aspects.join());
    });
    return { is: 'gone', name: named, removedAt: removal?.at ?? null };
  }
  const ofChannel = known.filter((integration) => integration.channel === channel);
  const active = ofChannel.filter((integration) => integration.active);
  if (active.length === 0) return { is: 'none-active', channel, integrations: ofChannel.length };
  return active.some(({ primary }) => primary) ? null : { is: 'none-primary', channel, active: active.length };
}
