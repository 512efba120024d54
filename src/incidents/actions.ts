import { subMilliseconds } from 'date-fns';
import { and, eq, gt } from 'drizzle-orm';
import { z } from 'zod';
import { recordOnIncident } from '../audit/audit.ts';
import type { AuditedIncident, Change } from '../audit/entry.ts';
import type { Note } from '../lib/input/typed-values.ts';
import type { Logger } from '../lib/logger.ts';
import type { Db } from '../store/db.ts';
import { alerts, audit, incidents, messages, watches } from '../store/schema.ts';
import type { Acknowledgment, Assignment } from './incident.ts';
import { type IncidentEvent, noteInThreads, redraw } from './publish.ts';
import { assignmentOf, byAt } from './queries.ts';
import type { IncidentRow } from './rows.ts';

export interface ActCtx {
  readonly db: Db;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly wakeDelivery: () => Promise<void>;
}

/** What somebody acts on: an incident, in the message that has its row, or in a channel. */
export interface ActionTarget {
  readonly incidentId: number;
  readonly messageId: string | null;
  readonly channel?: string | null;
}

/** Nothing of the incident is kept any more. */
export interface Forgotten {
  readonly is: 'forgotten';
}
/** By a person or, if null, by itself. */
export interface Resolved {
  readonly is: 'resolved';
  readonly by: string | null;
}

export type Acknowledging =
  | Forgotten
  | Resolved
  | { readonly is: 'done' | 'already'; readonly acknowledged: Acknowledgment };

/** Says that somebody is working on it: it mentions nobody until it relapses. */
export function acknowledge(ctx: ActCtx, target: ActionTarget, by: string): Promise<Acknowledging> {
  return act(ctx, target, by, 'incident acknowledged', async (tx, incident, now) => {
    if (incident.state === 'resolved') return { is: 'resolved', by: incident.resolvedBy };
    const before = byAt(incident.acknowledgedBy, incident.acknowledgedAt);
    if (before !== null) return { is: 'already', acknowledged: before };
    await set(tx, incident, { acknowledgedBy: by, acknowledgedAt: now });
    await publish(tx, target, { what: 'acknowledged', by, at: now });
    return { is: 'done', acknowledged: { by, at: now } };
  });
}

export type Unacknowledging =
  | Forgotten
  | { readonly is: 'already' }
  /** It's another person's by now. */
  | { readonly is: 'another'; readonly acknowledged: Acknowledgment }
  | { readonly is: 'done'; readonly acknowledged: Acknowledgment };

/** Removes the acknowledgment of `holder`, who is told if that is another person. */
export function unacknowledge(ctx: ActCtx, target: ActionTarget, holder: string, by: string): Promise<Unacknowledging> {
  return act(ctx, target, by, 'incident unacknowledged', async (tx, incident, now) => {
    const acknowledged = byAt(incident.acknowledgedBy, incident.acknowledgedAt);
    if (acknowledged === null) return { is: 'already' };
    if (acknowledged.by !== holder) return { is: 'another', acknowledged };
    await set(tx, incident, { acknowledgedBy: null, acknowledgedAt: null });
    await publish(tx, target, { what: 'unacknowledged', by, at: now });
    if (holder !== by) await tell(tx, incident, holder, { told: 'unacknowledged', by, to: null }, now);
    return { is: 'done', acknowledged };
  });
}

export type Assigning =
  | Forgotten
  | { readonly is: 'already'; readonly assigned: Assignment }
  | { readonly is: 'done'; readonly assigned: Assignment; readonly before: Assignment | null };

/** Whoever gets it, and whoever had it, is told in a direct message, which shows the incident from then on. */
export function assign(ctx: ActCtx, target: ActionTarget, to: string, by: string): Promise<Assigning> {
  return act(ctx, target, by, 'incident assigned', async (tx, incident, now) => {
    const before = assignmentOf(incident);
    if (before?.to === to) return { is: 'already', assigned: before };
    await set(tx, incident, { assignedTo: to, assignedBy: by, assignedAt: now });
    await publish(tx, target, { what: 'assigned', to, by, at: now });
    if (to !== by) await tell(tx, incident, to, { told: 'assigned', by, to }, now);
    if (before !== null && before.to !== by) await tell(tx, incident, before.to, { told: 'taken', by, to }, now);
    return { is: 'done', assigned: { to, by, at: now }, before };
  });
}

export type Resolving = Forgotten | Resolved | { readonly is: 'done' };

/** What fails of it afterwards is a relapse. */
export function resolve(ctx: ActCtx, target: ActionTarget, by: string): Promise<Resolving> {
  return act(ctx, target, by, 'incident resolved', async (tx, incident, now) => {
    if (incident.state === 'resolved') return { is: 'resolved', by: incident.resolvedBy };
    await set(tx, incident, { state: 'resolved', stateAt: now, resolvedBy: by });
    await publish(tx, target, { what: 'resolved', by, at: now });
    return { is: 'done' };
  });
}

export type Noting = Forgotten | { readonly is: 'done'; readonly note: Note };

/** A person's same note within this time is the same submission, such as by a double click. */
const REPEAT_MS = 60_000;

export function addNote(ctx: ActCtx, target: ActionTarget, text: string, by: string): Promise<Noting> {
  return act(ctx, target, by, 'note added', async (tx, incident, now) => {
    const note = { by, at: now, text };
    const isRecent = and(eq(audit.actor, by), gt(audit.at, subMilliseconds(now, REPEAT_MS)));
    const recent = await tx
      .select()
      .from(audit)
      .where(and(eq(audit.incidentId, incident.id), isRecent));
    const isRepeat = recent.some(({ change }) => change.action === 'noted' && change.text === text);
    if (!isRepeat) await publish(tx, target, { what: 'noted', ...note });
    return { is: 'done', note };
  });
}

/** Two who act on an incident at once take turns, also with what records its failures. */
async function act<Outcome extends { readonly is: string }>(
  { db, logger, now, wakeDelivery }: ActCtx,
  target: ActionTarget,
  by: string,
  words: string,
  change: (tx: Db, incident: IncidentRow, now: Date) => Promise<Outcome>,
): Promise<Outcome | Forgotten> {
  const done = await db.transaction(async (tx) => {
    const [incident] = await tx.select().from(incidents).where(eq(incidents.id, target.incidentId)).for('update');
    return incident === undefined ? ({ is: 'forgotten' } as const) : change(tx, incident, now());
  });
  if (done.is !== 'done') return done;
  logger.info({ by, ...target }, words);
  await wakeDelivery();
  return done;
}

async function set(tx: Db, { id }: IncidentRow, values: Partial<typeof incidents.$inferInsert>): Promise<void> {
  await tx.update(incidents).set(values).where(eq(incidents.id, id));
}

type Deed = Extract<IncidentEvent, { by: string | null }> & { readonly by: string };

async function publish(tx: Db, { incidentId, messageId, channel = null }: ActionTarget, deed: Deed): Promise<void> {
  const { by, at } = deed;
  await redraw(tx, [incidentId], at);
  await noteInThreads(tx, [incidentId], deed, at);
  const [message] =
    messageId === null
      ? []
      : await tx
          .select({ channel: watches.channel })
          .from(watches)
          .innerJoin(messages, eq(messages.watchId, watches.id))
          .where(eq(messages.id, messageId));
  const target = { incidentId, channel: message?.channel ?? channel };
  await recordOnIncident(tx, target, { by, now: at }, (incident) => changeBy(deed, incident));
}

function changeBy(deed: Deed, incident: AuditedIncident): Change {
  switch (deed.what) {
    case 'assigned':
      return { action: 'assigned', incident, to: deed.to };
    case 'noted':
      return { action: 'noted', incident, text: deed.text };
    case 'muted':
      return { action: 'incident-muted', incident, until: deed.until };
    case 'unmuted':
      return { action: 'incident-unmuted', incident };
    default:
      return { action: deed.what, incident };
  }
}

/** What a direct message about an incident says above its row. */
export const Told = z.object({
  told: z.enum(['assigned', 'taken', 'unacknowledged']),
  by: z.string(),
  to: z.string().nullable(),
});
export type Told = z.output<typeof Told>;

/** The newest message about an incident to a person shows it live. */
async function tell(tx: Db, incident: IncidentRow, recipient: string, content: Told, now: Date): Promise<void> {
  const { id: incidentId, environment, recorded, newestSeq: seq, failures: matched, relapses, critical } = incident;
  const message = { recipient, kind: 'told', environment, content, createdAt: now } as const;
  const [told] = await tx.insert(messages).values(message).returning({ id: messages.id });
  if (told === undefined) throw new Error('a direct message was not written');
  const known = { recorded, seq, matched, relapses, critical };
  await tx.insert(alerts).values({ messageId: told.id, incidentId, reason: 'told', at: now, ...known });
}
