import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Changed, EnvironmentChange } from '../changes/change.ts';
import { readable } from '../changes/changes.ts';
import { changes } from '../changes/tables.ts';
import { isAmong } from '../lib/fold.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { enqueue } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import { isHeld, mutesEndingAfter } from '../watches/mutes.ts';
import type { WatchFilter } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { updateWatch } from '../watches/watches.ts';
import type { ChangesContent } from './content.ts';
import { forWatch, shutOutOfChannel } from './watch-end.ts';

const CHANGES = 'changes';
export const ChangesKept = z.object({ changes: z.array(z.number()) });

/** What was changed around an environment, for watches that want it. */
export const changesKind: MessageKind<ChangesContent> = {
  Kept: ChangesKept,
  mustArrive: false,
  async draw(db, message) {
    return forWatch(db, message.owner, async (watch) => {
      const { id, channel, environment, state } = message;
      if (state !== 'posted' && channel !== watch.channel) return { is: 'moved', channel: watch.channel };
      const isShown = inArray(changes.id, ChangesKept.parse(message.content).changes);
      const shown: readonly EnvironmentChange[] = readable(
        await db.select().from(changes).where(isShown).orderBy(changes.id),
      );
      const content = { kind: CHANGES, id, channel, environment, changes: shown } as const;
      const knownBy = fingerprintOf(
        CHANGES,
        watch.id,
        environment,
        shown.map(({ what }) => what),
      );
      return { is: 'drawn', content, said: [], knownBy, nextAt: null };
    });
  },
  shutOut: shutOutOfChannel,
};

export function wantsChange(filter: WatchFilter, what: Changed): boolean {
  if (what.kind === 'deploy') return true;
  if (what.kind === 'workflow') return isAmong([what.identifier, what.name], filter.workflows);
  return isAmong([what.channel], filter.channels) && isAmong([what.provider], filter.providers);
}

/** Changes that a filter doesn't cover count as seen. */
export async function announceChanges(db: Db, environment: string, now: Date): Promise<void> {
  if ((await watchesBehind(db, environment)).length === 0) return;
  await db.transaction(async (tx) => {
    for (const { watch, seenTo } of await watchesBehind(tx, environment).for('no key update')) {
      const { id: watchId, channel, settings } = watch;
      const isUnseen = and(eq(changes.environment, environment), gt(changes.id, seenTo));
      const unseen = await tx.select().from(changes).where(isUnseen).orderBy(changes.id);
      const isHere = isAbout(settings.filter, environment);
      const wanted = isHere ? readable(unseen).filter(({ what }) => wantsChange(settings.filter, what)) : [];
      if (wanted.length > 0) {
        if (isHeld(watch, await mutesEndingAfter(tx, watchId, now), now)) continue;
        const content = stored({ changes: wanted.map(({ id }) => id) });
        await enqueue(tx, { kind: CHANGES, owner: watchId, channel, environment, content, createdAt: now });
      }
      const changesTo = sql`changes_to || jsonb_build_object(${environment}::text, ${unseen.at(-1)?.id}::bigint)`;
      await updateWatch(tx, watchId, { changesTo });
    }
  });
}

/** Watches that haven't seen the environment's newest change. One that tells no changes has seen none, and isn't behind. */
function watchesBehind(db: Db, environment: string) {
  const newest = sql`coalesce(changes_to -> ${environment}::text, changes_to -> '')`;
  const seenTo = sql`CASE jsonb_typeof(${newest}) WHEN 'number' THEN (${newest})::bigint END`.mapWith(changes.id);
  const isBehind = sql`EXISTS (SELECT FROM changes c WHERE c.environment = ${environment} AND c.id > ${seenTo})`;
  const behind = and(isNull(watches.endedAt), isBehind);
  return db.select({ watch: watches, seenTo }).from(watches).where(behind).orderBy(watches.id);
}
