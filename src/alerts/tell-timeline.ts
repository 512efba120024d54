import { addMilliseconds } from 'date-fns';
import { and, eq, gt, inArray, isNotNull, ne } from 'drizzle-orm';
import { incidents } from '../incidents/tables.ts';
import { entriesAfter, entriesSince, type IncidentEntry } from '../incidents/timeline.ts';
import { groupBy } from '../lib/group-by.ts';
import { stored } from '../lib/text/shown-id.ts';
import { askForRedraw, enqueue, redrawMessage } from '../outbox/messages.ts';
import { slackMessages } from '../outbox/tables.ts';
import type { Db } from '../store/db.ts';
import { isHeld, mutesEndingAfter } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import { subjectOf } from './digest-says.ts';
import { LINE } from './lines.ts';
import { tellPeople } from './people.ts';
import { timelineCursors, watchAlerts } from './tables.ts';

/**
 * Turns what happened since the last pass into lines in threads and direct messages, and has what shows the changed incidents drawn again: at once if
 * something happened, else with the counts.
 */
export async function tellTimeline(db: Db, environment: string, version: number, now: Date): Promise<void> {
  const isHere = eq(timelineCursors.environment, environment);
  const [told] = await db.select().from(timelineCursors).where(isHere);
  const isUpToDate = told !== undefined && told.version >= version;
  // Mostly nothing happened.
  if (isUpToDate && (await entriesAfter(db, environment, told.entryId)).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.insert(timelineCursors).values({ environment, version: 0, entryId: 0 }).onConflictDoNothing();
    const [cursor] = await tx.select().from(timelineCursors).where(isHere).for('update');
    if (cursor === undefined) return;
    const entries = await entriesAfter(tx, environment, cursor.entryId);
    const isChanged = and(eq(incidents.environment, environment), gt(incidents.version, cursor.version));
    const changed = await tx.select({ id: incidents.id }).from(incidents).where(isChanged);
    const turned = new Set(entries.filter(isTurn).map(({ incidentId }) => incidentId));
    const counted = changed.map(({ id }) => id).filter((id) => !turned.has(id));
    await askForRedraw(tx, [...turned].map(subjectOf), { at: now, isUrgent: true });
    await askForRedraw(tx, counted.map(subjectOf), { at: now, isUrgent: false });
    await writeLines(tx, entries, now);
    await tellPeople(tx, entries, now);
    if (entries.length === 0 && version <= cursor.version) return;
    const entryId = Math.max(cursor.entryId, ...entries.map(({ id }) => id));
    await tx
      .update(timelineCursors)
      .set({ version: Math.max(cursor.version, version), entryId })
      .where(isHere);
  });
}

/** Being worse, but not for everyone, shows with the counts. */
const isTurn = ({ change }: IncidentEntry): boolean => change?.action !== 'worse' || change.badness === 'every';

/** A thread in which an incident has lines. */
interface Thread {
  watchId: string;
  messageId: string;
  channel: string;
  environment: string;
  incidentId: number;
  /** The newest entry that the message above shows. */
  entryId: number;
  /** The watch posts nothing now. */
  isHeld: boolean;
}

/** What the row itself shows needs no line. */
const SAID_IN_ROW: ReadonlySet<string> = new Set(['began', 'recovering', 'unconfirmed', 'change-nearby']);
/** What people do for themselves is nobody else's news. */
const PERSONAL: ReadonlySet<string> = new Set(['followed', 'unfollowed']);

/** Lines of entries that the messages above them don't show. Several incidents' turns of one moment are one message. */
async function writeLines(tx: Db, entries: readonly IncidentEntry[], now: Date): Promise<void> {
  const lines = entries.filter(isLine);
  const threads = await threadsOf(tx, [...new Set(lines.map(({ incidentId }) => incidentId))], now);
  const placed = lines.flatMap((entry) =>
    threads.filter((thread) => belongsTo(thread, entry)).map((thread) => ({ entry, thread })),
  );
  const together = groupBy(placed, ({ entry, thread }) => lineKey(entry, thread));
  for (const [place, [first, ...others]] of [...together.values()].entries()) {
    if (first === undefined) continue;
    // Lines are posted in the order in which it happened.
    const createdAt = addMilliseconds(now, place);
    const { watchId, messageId, channel, environment } = first.thread;
    const ids = [first, ...others].map(({ entry }) => entry.id);
    const content = stored({ is: 'entry', watchId, entries: ids });
    const message = { kind: LINE, owner: messageId, subject: `entry ${first.entry.id}`, content };
    await enqueue(tx, { ...message, channel, environment, threadOf: messageId, createdAt });
  }
}

/** Entries of one key are one line: the same act of the same actor at the same time, in the same thread. Notes differ, so each has its own. */
function lineKey({ id, actor, at, change }: IncidentEntry, { messageId }: Thread): string {
  const noteId = change?.action === 'noted' ? id : null;
  return JSON.stringify([messageId, change?.action, actor, at, noteId]);
}

function isLine({ change }: IncidentEntry): boolean {
  if (change === null || SAID_IN_ROW.has(change.action) || PERSONAL.has(change.action)) return false;
  switch (change.action) {
    case 'worse':
      return change.badness === 'every';
    case 'failing-again':
      return !change.isBrief;
    case 'caught-up':
      return change.failures > 0;
    default:
      return true;
  }
}

/** Whether an entry is a line in the thread. */
function belongsTo({ incidentId, entryId, channel, isHeld }: Thread, entry: IncidentEntry): boolean {
  if (incidentId !== entry.incidentId || entry.id <= entryId) return false;
  switch (entry.change?.action) {
    // A mute holds in the watches of its channel.
    case 'incident-muted':
    case 'incident-unmuted':
      return channel === entry.channel;
    // If the watch posts, a post says so.
    case 'back':
      return isHeld;
    default:
      return true;
  }
}

interface Posted {
  watch: Watch;
  messageId: string;
  /** The newest entry of each incident that it shows. */
  shown: readonly { incidentId: number; entryId: number }[];
}

/**
 * Writes lines of what happened while a message was being posted: it wasn't linked to its incidents yet, so `writeLines` didn't find it. If both find
 * an entry, `enqueue` keeps one line.
 */
export async function writeLinesAfter(tx: Db, { watch, messageId, shown }: Posted, now: Date): Promise<void> {
  const entries = await entriesSince(tx, shown);
  if (entries.length === 0) return;
  await redrawMessage(tx, messageId, now);
  if (watch.settings.hasThread) await writeLines(tx, entries, now);
}

async function threadsOf(tx: Db, incidentIds: readonly number[], now: Date): Promise<readonly Thread[]> {
  if (incidentIds.length === 0) return [];
  const isTold = and(
    inArray(watchAlerts.incidentId, [...incidentIds]),
    isNotNull(watchAlerts.messageId),
    eq(watchAlerts.isSingle, false),
    ne(slackMessages.state, 'gone'),
    eq(slackMessages.isThreadClosed, false),
    eq(slackMessages.isLeft, false),
  );
  const rows = await tx
    .select()
    .from(watchAlerts)
    .innerJoin(slackMessages, eq(slackMessages.id, watchAlerts.messageId))
    .where(isTold)
    .orderBy(watchAlerts.watchId);
  // Of several watches that share a message, only its owner writes lines.
  const ofOwners = rows.filter(({ watch_alerts: alert, slack_messages: message }) => alert.watchId === message.owner);
  const threads: Thread[] = [];
  for (const [watchId, told] of groupBy(ofOwners, ({ watch_alerts: { watchId } }) => watchId)) {
    const watch = await watchWithId(tx, watchId);
    if (watch === null || !watch.settings.hasThread) continue;
    const isNowHeld = isHeld(watch, await mutesEndingAfter(tx, watchId, now), now);
    for (const { watch_alerts: alert, slack_messages: message } of told)
      threads.push({
        watchId,
        messageId: message.id,
        channel: message.channel,
        environment: message.environment,
        incidentId: alert.incidentId,
        entryId: alert.entryId,
        isHeld: isNowHeld,
      });
  }
  return threads;
}
