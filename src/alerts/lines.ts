import { min, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { IncidentNow } from '../incidents/incident.ts';
import { incidentsInOrder } from '../incidents/incidents-now.ts';
import { entriesWithIds, type IncidentEntry, isRise } from '../incidents/timeline.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import { stored } from '../lib/text/shown-id.ts';
import type { Draft, MessageKind } from '../outbox/kinds.ts';
import { enqueue, messageWithId, saidBy } from '../outbox/messages.ts';
import type { MessageRow } from '../outbox/tables.ts';
import { StoredTime } from '../store/columns.ts';
import type { Db } from '../store/db.ts';
import { mutesEndingAfter, type WatchMute, watchHold } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { alertFinder, isAlertOf, updateAlerts } from './alert-rows.ts';
import type { Covered, View } from './candidates.ts';
import type { LineContent, LineTurn } from './content.ts';
import { coveredTurn, type EntryTurn } from './covered-turn.ts';
import { type DigestSays, digestSays, filterToldBy, subjectOf } from './digest-says.ts';
import { heldBack, incidentHold } from './holds.ts';
import { enqueueEscalated } from './people.ts';
import { watchAlerts } from './tables.ts';
import { forWatch, shutOutOfChannel } from './watch-end.ts';

export const LINE = 'line';

export const LineKept = z.discriminatedUnion('is', [
  z.object({ is: z.literal('entry'), watchId: z.string(), entries: z.array(z.number()) }),
  z.object({ is: z.enum(['escalated', 'grown']), watchId: z.string(), incidentId: z.number(), at: StoredTime }),
]);
type LineKept = z.output<typeof LineKept>;

/** A line in the thread of an alert: an entry of the timeline, an escalation, or that it is ten times as much. */
export const lineKind: MessageKind<LineContent> = {
  Kept: LineKept,
  mustArrive: false,
  async draw(db, message, at) {
    const kept = LineKept.parse(message.content);
    return forWatch(db, kept.watchId, async (watch) => {
      const thread = await messageWithId(db, message.threadOf ?? '');
      if (thread === null || thread.state !== 'posted') return { is: 'untrue', why: 'the message above it is gone' };
      if (message.channel !== watch.channel) return { is: 'untrue', why: 'its watch is in another channel by now' };
      return kept.is === 'entry'
        ? drawEntries(db, message, kept.entries, { watch, at })
        : drawAlone(db, message, kept, { watch, at });
    });
  },
  /** An escalation has buttons, which change. */
  isFinal: (message) => LineKept.parse(message.content).is !== 'escalated',
  async told(tx, message, { at, isPost }) {
    const kept = LineKept.parse(message.content);
    if (kept.is === 'entry' || !isPost) return;
    const { watchId, incidentId, is } = kept;
    const [incident] = await incidentsInOrder(tx, [{ id: incidentId }], at);
    const told =
      is === 'escalated' ? { escalatedAt: at, rangAt: at } : { lineAt: at, failuresInLine: incident?.failures ?? 0 };
    await updateAlerts(tx, watchId, [incidentId], { ...told, dueAt: at });
    if (is === 'escalated') await enqueueEscalated(tx, incidentId, at);
  },
  /** An escalation whose line was refused is posted instead. */
  async dropped(tx, message, _reason, now) {
    const kept = LineKept.parse(message.content);
    if (kept.is !== 'entry') await updateAlerts(tx, kept.watchId, [kept.incidentId], { dueAt: now });
  },
  shutOut: shutOutOfChannel,
};

/** For whom a line is drawn, and when. */
interface Drawing {
  watch: Watch;
  at: Date;
}

/** Entries of the timeline, each of an incident of its own. */
async function drawEntries(
  db: Db,
  message: MessageRow,
  ids: readonly number[],
  { watch, at }: Drawing,
): Promise<Draft<LineContent>> {
  const entries = await entriesNotShownElsewhere(db, message, watch, await entriesWithIds(db, ids));
  const says = await saidAbove(db, message);
  const concerned = entries.map(({ incidentId: id }) => ({ id }));
  const filter = filterToldBy(says, watch);
  const known = await incidentsInOrder(db, concerned, at, filter);
  const byId = new Map(known.map((incident) => [incident.id, incident]));
  const told: EntryTurn[] = [];
  for (const entry of entries) {
    const incident = byId.get(entry.incidentId);
    const isSo = incident !== undefined && isStillTrue(entry, incident);
    const turn = isSo ? await coveredTurn(db, { entry, incident }, filter) : null;
    if (turn !== null) told.push(turn);
  }
  const turns = told.map(({ entry, incident }): LineTurn => ({ event: { is: 'entry', entry }, incident }));
  const first = told[0]?.entry;
  if (first === undefined) return { is: 'untrue', why: 'it is no longer so' };
  const mutes = await mutesEndingAfter(db, watch.id, subMilliseconds(first.at, 1));
  // That it gets worse is told when mutes and quiet hours end.
  const hold = isRise(first) ? heldThroughout(watch, mutes, turns, at) : null;
  if (hold !== null) return heldBack(hold, at);
  const wasMuted = turns.every(({ incident: { id } }) => mutes.some(({ incidentId }) => incidentId === id));
  const isBroadcast =
    isAllClear(first) && watch.settings.hasAllClear && watchHold(watch, mutes, at) === null && !wasMuted;
  const knownBy = fingerprintOf(watch.id, first.outbreak, ...factsOf(first), keysOf(turns));
  return draft(message, { turns, isBroadcast, mention: null, isNamed: hasSeveral(says) }, knownBy);
}

/** What tells an entry from others. Times and counts don't: what Notif sees again after a failover, it sees later, or counts more of. */
function factsOf({ actor, change }: IncidentEntry): readonly unknown[] {
  if (actor !== null) return [actor, change];
  return [change?.action, change?.action === 'unreached' ? change.to : null];
}

const keysOf = (turns: readonly LineTurn[]): readonly string[] => turns.map(({ incident: { key } }) => key).toSorted();

/** Until when the watch holds all of these back; null: it doesn't, or a mute breaks as they get worse. */
function heldThroughout(watch: Watch, mutes: readonly WatchMute[], turns: readonly LineTurn[], at: Date): Date | null {
  const holds = turns.map(({ incident }) =>
    incidentHold(watch, mutes, { incident: { ...incident, state: incident.state.is }, alert: null }, at),
  );
  const lasting = holds.flatMap((hold) => (hold === null || hold.incidentMutedSince !== null ? [] : [hold.until]));
  return lasting.length === 0 || lasting.length < turns.length ? null : min(lasting);
}

/** The entries that no newer message of the watch shows, as such a message says what had happened by then. */
async function entriesNotShownElsewhere(
  db: Db,
  { threadOf }: MessageRow,
  watch: Watch,
  entries: readonly IncidentEntry[],
): Promise<readonly IncidentEntry[]> {
  const ids = entries.map(({ incidentId }) => incidentId);
  const alerts = ids.length === 0 ? [] : await db.select().from(watchAlerts).where(isAlertOf(watch.id, ids));
  const findAlert = alertFinder(alerts);
  return entries.filter(({ id, incidentId }) => {
    const alert = findAlert(watch.id, incidentId);
    return alert === null || alert.messageId === threadOf || alert.entryId < id;
  });
}

/** What isn't an entry of the timeline. */
async function drawAlone(
  db: Db,
  message: MessageRow,
  { is, incidentId, at: since }: Extract<LineKept, { is: 'escalated' | 'grown' }>,
  { watch, at }: Drawing,
): Promise<Draft<LineContent>> {
  const says = await saidAbove(db, message);
  const [incident] = await incidentsInOrder(db, [{ id: incidentId }], at, filterToldBy(says, watch));
  if (incident === undefined || incident.state.is === 'resolved') return { is: 'untrue', why: 'it is over' };
  const isEscalated = is === 'escalated';
  if (isEscalated && incident.acknowledged !== null) return { is: 'untrue', why: 'somebody has acknowledged it' };
  if (isEscalated && incident.state.is !== 'firing') return { is: 'untrue', why: 'it is recovering' };
  const hold = isEscalated ? watchHold(watch, await mutesEndingAfter(db, watch.id, at), at) : null;
  if (hold !== null) return heldBack(hold.until, at);
  const turns = [{ event: { is, at: since }, incident }];
  const mention = isEscalated ? watch.settings.mention : null;
  const isNamed = hasSeveral(says);
  const knownBy = fingerprintOf(watch.id, incident.outbreak, is, keysOf(turns));
  return draft(message, { turns, isBroadcast: isEscalated, mention, isNamed }, knownBy);
}

function draft(
  { id, channel }: MessageRow,
  content: Omit<LineContent, 'kind' | 'id' | 'channel'>,
  knownBy: string,
): Draft<LineContent> {
  const said = content.turns.map(({ incident }) => ({ subject: subjectOf(incident.id), says: stored({}) }));
  const isKeptNow = content.turns.some(({ event }) => event.is === 'escalated');
  const drawn = { is: 'drawn', said: isKeptNow ? said : [], knownBy, nextAt: null } as const;
  return { ...drawn, content: { kind: LINE, id, channel, ...content } };
}

async function saidAbove(db: Db, { threadOf }: MessageRow): Promise<ReadonlyMap<number, DigestSays>> {
  return digestSays(await saidBy(db, threadOf ?? ''));
}

function hasSeveral(says: ReadonlyMap<number, DigestSays>): boolean {
  return [...says.values()].filter(({ reason }) => reason !== 'single').length > 1;
}

/** What is over without a proof isn't clear. */
const isAllClear = ({ change }: IncidentEntry): boolean =>
  change?.action === 'resolved' || (change?.action === 'ended' && change.ending !== 'unconfirmed');

/** An incident may fail again, or be over, while a line about it waits. */
function isStillTrue({ change, outbreak }: IncidentEntry, incident: IncidentNow): boolean {
  if (change === null) return false;
  const isNewer = outbreak !== null && incident.outbreak > outbreak;
  const isOver = incident.state.is === 'resolved' || isNewer;
  switch (change.action) {
    case 'ended':
    case 'resolved':
      return isOver && !isNewer;
    case 'back':
    case 'worse':
    case 'critical':
    case 'failing-again':
      return !isOver;
    default:
      return true;
  }
}

/** A line that says an escalation, or that it is ten times as much. */
export async function enqueueLine(
  tx: Db,
  { watch, now }: View,
  { incident, outbreak, alert }: Covered,
  is: 'escalated' | 'grown',
): Promise<void> {
  if (alert === null || alert.messageId === null) return;
  const thread = await messageWithId(tx, alert.messageId);
  if (thread === null) return;
  // An escalation is said once an outbreak, growth from each number anew.
  const growsFrom = is === 'grown' ? ` ${alert.failuresInLine} ${alert.failures}` : '';
  await enqueue(tx, {
    kind: LINE,
    owner: thread.id,
    subject: `${is} ${incident.id} ${outbreak.number}${growsFrom}`,
    channel: thread.channel,
    environment: thread.environment,
    threadOf: thread.id,
    content: stored({ is, watchId: watch.id, incidentId: incident.id, at: now }),
    createdAt: now,
  });
}
