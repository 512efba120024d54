import { desc, eq } from 'drizzle-orm';
import { act } from '../../src/incidents/actions.ts';
import { follow } from '../../src/incidents/followers.ts';
import { incidents } from '../../src/incidents/tables.ts';
import { InputError } from '../../src/lib/errors.ts';
import { brokenEvents, startResend } from '../../src/sendings/resend.ts';
import { resendChoices } from '../../src/sendings/sending.testing.ts';
import { aService } from '../../src/service/client.testing.ts';
import type { Db } from '../../src/store/db.ts';
import { madeWatch, muteUntil, watchCtx } from '../../src/watches/watches.testing.ts';
import { watchesIn as activeWatches, changeWatch } from '../../src/watches/watches.ts';
import { sendCtx } from './notif-process.ts';
import type { Done, Story, StoryAct } from './story.ts';
import { MINUTE } from './virtual-time.ts';

export async function makeWatches({ watches }: Story, database: Db, now: number): Promise<void> {
  for (const [index, watch] of watches.entries())
    await madeWatch(database, { ...watch, createdBy: 'U0ANN' }, new Date(now - MINUTE + index));
}

/** Does what somebody does; null if it can't be done. `aheadMs` is how far Notif's clock is ahead. */
export async function performAct(
  db: Db,
  somebody: StoryAct,
  aheadMs: number,
): Promise<(Omit<Done, 'at'> & { undo?: StoryAct }) | null> {
  const { place, actor } = somebody;
  const ctx = watchCtx(db, new Date(somebody.at + aheadMs));
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(place ** 2 * items.length)];
  const watches = await activeWatches(db);
  const isAlerted = eq(incidents.verdictClass, 'announced');
  const known = await db.select().from(incidents).where(isAlerted).orderBy(desc(incidents.lastRecordedAt));
  const incident = known.find(({ provider }) => provider === somebody.about) ?? pick(known);
  const done = { actor, incidentId: incident?.id ?? null, watchId: null, until: null };
  switch (somebody.does) {
    case 'acts': {
      const { what } = somebody;
      if (incident === undefined) return null;
      const target = { incidentId: incident.id, channel: 'C0ALL' };
      const isChanged =
        what === 'followed' || what === 'unfollowed'
          ? await follow(ctx, target, what, actor)
          : await act(ctx, target, what === 'assigned' ? { what, to: 'U0EVE' } : { what }, actor);
      return isChanged ? { ...done, what } : null;
    }
    case 'sends-again': {
      if (incident === undefined) return null;
      const broken = (await brokenEvents(db, incident.id)).filter(({ sentAgain }) => sentAgain === null);
      const toSend = broken.map(({ eventKey, subscriberId, workflow }) => ({
        eventKey,
        subscriberId: subscriberId ?? '',
        workflow: workflow ?? '',
      }));
      const choices = resendChoices({ sendsTwice: true, sendsReplaced: true });
      const command = { actor, channel: 'C0ALL', incidentId: incident.id, toSend, choices };
      const intent = `${actor} ${somebody.at}`;
      const started =
        toSend.length === 0 ? null : await startResend(sendCtx(ctx, aService({})), { ...command, intent });
      return started && { ...done, what: 'sent-again' };
    }
    case 'mutes': {
      const incidentId = somebody.isWhole ? null : incident?.id;
      const until = somebody.until === null ? null : new Date(somebody.until + aheadMs);
      if (watches[0] === undefined || incidentId === undefined) return null;
      const watch = await muteUntil(ctx, watches[0].id, incidentId, { actor, until });
      const muted = { ...done, what: 'muted' as const, incidentId, until: somebody.until ?? somebody.at };
      return watch === null ? null : { ...muted, watchId: watch.id };
    }
    case 'edits': {
      const watch = pick(watches);
      if (watch === undefined) return null;
      // Another watch may have the same settings.
      const isChanged = await changeWatch(ctx, watch.id, { settings: somebody.settings, actor }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof InputError)) throw error;
          return false;
        },
      );
      const { undoneAt } = somebody;
      const undo = { ...somebody, at: undoneAt ?? 0, undoneAt: null, settings: watch.settings };
      const edited = { ...done, what: 'edited' as const, incidentId: null, watchId: watch.id };
      return isChanged ? { ...edited, ...(undoneAt !== null && { undo }) } : null;
    }
  }
}
