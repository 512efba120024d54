import { subMilliseconds } from 'date-fns';
import { eq, inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { EnvironmentChange } from '../changes/change.ts';
import { readable } from '../changes/changes.ts';
import { changes as log } from '../changes/tables.ts';
import { compareIncidents, type IncidentNow, isFiring } from '../incidents/incident.ts';
import { incidentsInOrder, incidentsNow, type Viewer } from '../incidents/incidents-now.ts';
import { incidents as table } from '../incidents/tables.ts';
import {
  ALERT_REASONS,
  IncidentEvent,
  isLineReason,
  LINES,
  type MessageKind,
  PersonalNotice,
  WATCH_ENDS,
} from '../outbox/kinds.ts';
import { Silent } from '../outbox/messages.ts';
import { messages } from '../outbox/tables.ts';
import { Count, type Db } from '../store/db.ts';
import { progressOf, sendingOf } from '../triggers/sending.ts';
import { isSilenced, mutesEndingAfter } from '../watches/mutes.ts';
import { isReadable, Mention } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { Summarized, summaryContent } from './summary.ts';

export type Content = NonNullable<Awaited<ReturnType<typeof contentOf>>>;
export type ContentOf<K extends Content['kind']> = Extract<Content, { kind: K }>;

const DIGEST_ROWS = 10;

const Mentioned = z.object({ mention: Mention.nullable().default(null) });
const Changes = z.object({ changes: z.array(z.number()) });
const Ended = z.object({ why: z.enum(WATCH_ENDS) });
const InThread = z.object({ event: IncidentEvent, incidents: z.array(z.number()) });

/** What is stored of a message in its `content`. */
export const STORED_CONTENTS = {
  digest: Mentioned,
  silence: Mentioned.extend(Silent.shape),
  changes: Changes,
  summary: Summarized,
  'watch-ended': Ended,
  thread: InThread,
  personal: PersonalNotice,
  sending: z.object({}),
} satisfies Record<MessageKind, z.ZodType>;

async function storedMessage(db: Db, id: string) {
  const isWatch = eq(watches.id, messages.watchId);
  const [row] = await db.select().from(messages).leftJoin(watches, isWatch).where(eq(messages.id, id));
  return row;
}

/** A message that can't be read isn't drawn, nor is one of a watch that can't. */
export async function isUnreadable(db: Db, id: string): Promise<boolean> {
  const row = await storedMessage(db, id);
  if (row === undefined) return false;
  const isStored = STORED_CONTENTS[row.messages.kind].safeParse(row.messages.content).success;
  return !isStored || (row.watches !== null && !isReadable(row.watches));
}

export async function contentOf(db: Db, id: string, now: Date) {
  const row = await storedMessage(db, id);
  if (row === undefined) return null;
  const { messages: message, watches: watch } = row;
  const { kind, environment, content } = message;
  const channel = message.recipient ?? watch?.channel;
  if (channel === undefined) return null;
  const address = { id, channel };
  const viewer = watch && { watchId: watch.id, filter: watch.settings.filter };
  switch (kind) {
    case 'digest': {
      const rows = await digestRows(db, id, viewer, now);
      return rows.length === 0 ? null : { kind, ...address, ...digestOf(message, rows) };
    }
    case 'silence':
      return { kind, ...address, environment, ...STORED_CONTENTS.silence.parse(content) };
    case 'changes': {
      const isShown = inArray(log.id, Changes.parse(content).changes);
      const changes: readonly EnvironmentChange[] = readable(
        await db.select().from(log).where(isShown).orderBy(log.id),
      );
      return { kind, ...address, environment, changes };
    }
    case 'summary':
      return watch && { ...address, ...(await summaryContent(db, watch, Summarized.parse(content), now)) };
    case 'watch-ended':
      return watch && { kind, ...address, watch, why: Ended.parse(content).why };
    case 'thread': {
      const { event, incidents: ids } = InThread.parse(content);
      const rows = ids.map((id) => ({ id }));
      const known = await incidentsInOrder(db, rows, now, viewer);
      const incidents = known.filter((incident) => isStillTrue(event, incident));
      if (incidents.length === 0 && known.length > 0) return null;
      const mutes = watch === null ? [] : await mutesEndingAfter(db, watch.id, subMilliseconds(event.at, 1));
      const wasMuted = (id: number) => mutes.some(({ incidentId }) => incidentId === id);
      const mayNotify = watch !== null && !isSilenced(watch, mutes, now, ids);
      const isForAll =
        event.what === 'escalated' || (event.what === 'resolved' && watch?.settings.hasAllClear === true);
      const isBroadcast = isForAll && mayNotify && !ids.every(wasMuted);
      const isCritical = event.what === 'critical' && mayNotify && !incidents.every(isResolved);
      const isMentioning = event.what === 'escalated' ? isBroadcast : isCritical;
      const mention = isMentioning ? (watch?.settings.mention ?? null) : null;
      return { kind, ...address, isBroadcast, event, incidents, mention };
    }
    case 'sending': {
      const sending = await sendingOf(db, message.subject);
      if (sending === null) return null;
      const { tested, ...progress } = await progressOf(db, sending);
      const { incidentId } = sending;
      if (incidentId === null) return { kind: 'test' as const, ...address, sending, tested };
      const [incident] = await db.select({ code: table.code }).from(table).where(eq(table.id, incidentId));
      return { kind: 'resend' as const, ...address, sending, incidentId, code: incident?.code ?? null, ...progress };
    }
    case 'personal': {
      const [row] = await digestRows(db, id, null, now);
      if (row === undefined) return null;
      const notice = PersonalNotice.parse(content);
      return { kind, ...address, notice, at: message.createdAt, incident: row.incident };
    }
  }
}

const isResolved = ({ state }: IncidentNow) => state.is === 'resolved';

/** An incident may fail again or be acknowledged while a line about it waits. */
function isStillTrue({ what }: IncidentEvent, incident: IncidentNow) {
  if (what === 'resolved') return isResolved(incident);
  if (!isLineReason(what) || LINES[what] === 'any') return true;
  return !isResolved(incident) && (LINES[what] === 'unresolved' || incident.acknowledged === null);
}

function digestOf({ environment, content }: typeof messages.$inferSelect, all: readonly DigestRow[]) {
  // A single that became a row of a newer message is counted there.
  const singles = all.filter(({ reason, isContinued }) => reason === 'single' && !isContinued);
  const others = all.filter(({ reason }) => reason !== 'single');
  const rows = others.length + singles.length === 0 ? all : others;
  return {
    environment,
    rows: rows.slice(0, DIGEST_ROWS),
    moreIncidents: Math.max(0, rows.length - DIGEST_ROWS),
    singles: singles.map(({ incident }) => incident),
    mention: Mentioned.parse(content).mention,
  };
}

const AlertRow = z.object({
  incidentId: Count,
  reason: z.enum(ALERT_REASONS),
  missed: Count.nullable(),
  isContinued: z.boolean(),
  olderTs: z.string().nullable(),
});
export type DigestRow = Omit<z.output<typeof AlertRow>, 'incidentId'> & { incident: IncidentNow };

async function digestRows(db: Db, messageId: string, viewer: Viewer | null, now: Date) {
  const rows = await db.rows(AlertRow, ALERTS, [messageId]);
  const ids = rows.map(({ incidentId }) => incidentId);
  const incidents = await incidentsNow(db, ids, viewer, now);
  return rows
    .flatMap(({ incidentId, ...row }): DigestRow[] => {
      const incident = incidents.get(incidentId);
      return incident === undefined ? [] : [{ incident, ...row }];
    })
    .sort((a, b) => placeOf(a) - placeOf(b) || compareIncidents(a.incident, b.incident));
}

function placeOf({ incident, isContinued }: DigestRow) {
  if (isContinued) return 2;
  return isFiring(incident.state) ? 0 : 1;
}

/** Other alerts of the watch about the incident that were posted. */
const OTHERS_POSTED = `
  FROM alerts o JOIN messages m ON m.id = o.message_id
  WHERE o.incident_id = a.incident_id AND o.watch_id = a.watch_id AND m.state = 'posted'`;

const ALERTS = `
  SELECT a.incident_id, a.reason, a.missed, EXISTS (SELECT ${OTHERS_POSTED} AND o.at > a.at) AS is_continued,
    (SELECT m.ts ${OTHERS_POSTED} AND o.at < a.at ORDER BY o.at DESC LIMIT 1) AS older_ts
  FROM alerts a WHERE a.message_id = $1`;
