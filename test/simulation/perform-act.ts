import { desc, eq } from 'drizzle-orm';
import { noteUnseenEdit } from '../../src/alerts/second-edit.ts';
import { incidents } from '../../src/incidents/tables.ts';
import { type ActCtx, act, follow } from '../../src/incidents/verbs.ts';
import { InputError } from '../../src/lib/errors.ts';
import { brokenEvents, startResend } from '../../src/sendings/resend.ts';
import { resendChoices } from '../../src/sendings/sending.testing.ts';
import { aService } from '../../src/service/client.testing.ts';
import type { Db } from '../../src/store/db.ts';
import type { Watch } from '../../src/watches/settings.ts';
import { muteUntil, watchCtx } from '../../src/watches/watches.testing.ts';
import { changeWatch, watchesIn } from '../../src/watches/watches.ts';
import { sendCtx } from './notif-process.ts';
import type { Done, StoryAct } from './story.ts';

/** What somebody did, and what they do later to undo it. */
interface Performed extends Omit<Done, 'at'> {
  undo?: StoryAct;
}

type Act<Does extends StoryAct['does']> = Extract<StoryAct, { does: Does }>;

/** Does what somebody does; null if it can't be done. `aheadMs` is how far Notif's clock is ahead. */
export async function performAct(db: Db, somebody: StoryAct, aheadMs: number): Promise<Performed | null> {
  const ctx = watchCtx(db, new Date(somebody.at + aheadMs));
  const watches = await watchesIn(db);
  if (somebody.does === 'edits') return edit(ctx, somebody, pick(watches, somebody.place));
  const incidentId = await incidentFor(db, somebody);
  switch (somebody.does) {
    case 'acts':
      return incidentId === null ? null : actOn(ctx, somebody, incidentId);
    case 'sends-again':
      return incidentId === null ? null : sendAgain(ctx, somebody, incidentId);
    case 'mutes':
      if (watches[0] === undefined || (incidentId === null && !somebody.isWhole)) return null;
      return mute(ctx, somebody, { watchId: watches[0].id, incidentId: somebody.isWhole ? null : incidentId }, aheadMs);
  }
}

/** The square prefers those at the beginning: the newest incidents. */
const pick = <Item>(items: readonly Item[], place: number): Item | undefined =>
  items[Math.floor(place ** 2 * items.length)];

async function incidentFor(db: Db, { about, place }: StoryAct): Promise<number | null> {
  const isAlerted = eq(incidents.verdictClass, 'announced');
  const newestFirst = await db.select().from(incidents).where(isAlerted).orderBy(desc(incidents.lastRecordedAt));
  const incident = newestFirst.find(({ provider }) => provider === about) ?? pick(newestFirst, place);
  return incident?.id ?? null;
}

async function actOn(ctx: ActCtx, { what, actor }: Act<'acts'>, incidentId: number): Promise<Performed | null> {
  const target = { incidentId, channel: 'C0ALL' };
  const isChanged =
    what === 'followed' || what === 'unfollowed'
      ? await follow(ctx, target, what, actor)
      : await act(ctx, target, what === 'assigned' ? { what, to: 'U0EVE' } : { what }, actor);
  return isChanged ? { actor, what, incidentId, watchId: null, until: null } : null;
}

async function sendAgain(
  ctx: ActCtx,
  { actor, at }: Act<'sends-again'>,
  incidentId: number,
): Promise<Performed | null> {
  const broken = (await brokenEvents(ctx.db, incidentId)).filter(({ sentAgain }) => sentAgain === null);
  if (broken.length === 0) return null;
  const toSend = broken.map(({ eventKey, subscriberId, workflow }) => ({
    eventKey,
    subscriberId: subscriberId ?? '',
    workflow: workflow ?? '',
  }));
  const choices = resendChoices({ sendsTwice: true, sendsReplaced: true });
  const command = { intent: `${actor} ${at}`, actor, channel: 'C0ALL', incidentId, toSend, choices };
  const started = await startResend(sendCtx(ctx, aService({})), command);
  return started === null ? null : { actor, what: 'sent-again', incidentId, watchId: null, until: null };
}

/** Mutes an incident in a watch, or the whole watch. */
async function mute(
  ctx: ActCtx,
  { actor, at, until }: Act<'mutes'>,
  { watchId, incidentId }: { watchId: string; incidentId: number | null },
  aheadMs: number,
): Promise<Performed | null> {
  const end = until === null ? null : new Date(until + aheadMs);
  const muted = await muteUntil(ctx, watchId, incidentId, { actor, until: end });
  return muted === null ? null : { actor, what: 'muted', incidentId, watchId: muted.id, until: until ?? at };
}

async function edit(ctx: ActCtx, somebody: Act<'edits'>, watch: Watch | undefined): Promise<Performed | null> {
  if (watch === undefined) return null;
  const { actor, settings, undoneAt } = somebody;
  try {
    await changeWatch({ ...ctx, noteUnseenEdit }, watch.id, { settings, actor });
  } catch (error) {
    // Another watch may have the same settings.
    if (error instanceof InputError) return null;
    throw error;
  }
  const edited = { actor, what: 'edited', incidentId: null, watchId: watch.id, until: null } as const;
  if (undoneAt === null) return edited;
  return { ...edited, undo: { ...somebody, at: undoneAt, undoneAt: null, settings: watch.settings } };
}
