import { addMilliseconds, subDays } from 'date-fns';
import { and, inArray, isNotNull, isNull } from 'drizzle-orm';
import { groupBy } from '../lib/group-by.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { enqueue, postAtOnce, waitingIn } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { isHeld, MUTES_FOR_DAYS, mutesEndingAfter, runningMutes } from '../watches/mutes.ts';
import { isRungBy, notifiesFor, type Watch } from '../watches/settings.ts';
import { type Compared, type Covered, comparedIn, coveredBy, type View, viewOf } from './candidates.ts';
import { noteContinued } from './continued.ts';
import { cursorOf, putCursor } from './cursors.ts';
import { type Decision, decide, type PostReason, pacedPosts } from './decide.ts';
import { noteEdited } from './edited.ts';
import { enqueueLine } from './lines.ts';
import { putAlerts, updateAlerts } from './put-alerts.ts';
import { type AlertRow, watchAlerts } from './tables.ts';

export interface Round {
  environment: string;
  /** The environment's version when its incidents were settled. */
  version: number;
  /** Watches about the environment. */
  others: readonly Watch[];
}

const DIGEST = 'digest';
const groupOf = (watchId: string, environment: string): string => `${watchId} ${environment}`;

/**
 * Compares an environment's incidents with what the watch has told of them. Whatever it owes is noted in its alerts, and a digest waits to tell it:
 * what that says is decided when it's posted. Returns the digest's ID if one was begun. Needs a lock on the watch.
 */
export async function announceTo(tx: Db, watch: Watch, round: Round, now: Date): Promise<string | null> {
  const { environment, version } = round;
  const cursor = await cursorOf(tx, watch.id, environment);
  const mutes = await mutesEndingAfter(tx, watch.id, subDays(now, MUTES_FOR_DAYS));
  const view = viewOf(watch, environment, mutes, now);
  if (cursor !== null) await noteEdited(tx, view, cursor);
  await noteContinued(tx, watch.id, environment, cursor?.version ?? 0);
  const compared = await comparedIn(tx, view, cursor?.version ?? 0);
  const covered = await coveredBy(tx, view, compared);
  const waits = await toldByOthers(tx, view, round.others, covered);
  const decided = covered.map((row) => ({ ...row, decision: decisionFor(row, waits, now) }));
  await noteUncovered(tx, watch, compared, covered);
  await noteDecisions(tx, watch, decided, now);
  const posts = decided.flatMap(postIn);
  for (const row of decided) if (row.decision.is === 'line') await enqueueLine(tx, view, row, row.decision.what);
  await putCursor(tx, watch, environment, version);
  const { lastPostedAt = null, lastNotifiedAt = null } = cursor ?? {};
  const ready = pacedPosts(posts, { everyMs: watch.settings.everyMs, lastPostedAt, lastNotifiedAt }, now);
  return ready.length === 0 ? null : digestFor(tx, watch, environment, now);
}

interface Post {
  incidentId: number;
  reason: PostReason;
  isUrgent: boolean;
}

/** The pace delays neither every, nor critical, nor an escalation. */
function postIn({ incident, badness, counts, decision }: Covered & { decision: Decision }): Post[] {
  if (decision.is !== 'post') return [];
  const isUrgent = decision.rings && (badness === 'every' || counts.critical) && decision.reason !== 'single';
  return [{ incidentId: incident.id, reason: decision.reason, isUrgent }];
}

function decisionFor(row: Covered, waits: ReadonlySet<number>, now: Date): Decision {
  const decision = decide(row.candidate, now);
  const isTold = decision.is === 'post' && waits.has(row.incident.id);
  return isTold ? { is: 'nothing', dueAt: addMilliseconds(now, MINUTE_MS) } : decision;
}

/** Incidents that another watch, which notifies the channel of all that this one does, is about to tell. */
async function toldByOthers(
  tx: Db,
  { watch, now }: View,
  others: readonly Watch[],
  covered: readonly Covered[],
): Promise<ReadonlySet<number>> {
  const rivals = others.filter((other) => other.id !== watch.id && isRungBy(other, watch) && isBefore(other, watch));
  if (rivals.length === 0 || covered.length === 0) return new Set();
  const mutes = groupBy(await runningMutes(tx, now), ({ watchId }) => watchId);
  const telling = new Map(
    rivals.filter((other) => !isHeld(other, mutes.get(other.id) ?? [], now)).map((other) => [other.id, other]),
  );
  const kinds = new Map(covered.map(({ incident }) => [incident.id, incident.kind]));
  const isOwed = and(
    inArray(watchAlerts.watchId, [...telling.keys()]),
    inArray(watchAlerts.incidentId, [...kinds.keys()]),
    isNotNull(watchAlerts.owedSince),
    isNull(watchAlerts.heldBy),
  );
  const owed = await tx.select().from(watchAlerts).where(isOwed);
  return new Set(
    owed.flatMap(({ watchId, incidentId }) => {
      const other = telling.get(watchId);
      const tells = other !== undefined && (kinds.get(incidentId) !== 'failures' || notifiesFor(other, watch));
      return tells ? [incidentId] : [];
    }),
  );
}

/** Of two watches that notify for each other, one waits for the other. */
function isBefore(other: Watch, watch: Watch): boolean {
  const mentions = ({ settings }: Watch) => Number(settings.mention !== null);
  if (mentions(other) !== mentions(watch)) return mentions(other) > mentions(watch);
  if (notifiesFor(other, watch) !== notifiesFor(watch, other)) return notifiesFor(other, watch);
  return (
    other.createdAt < watch.createdAt ||
    (other.createdAt.getTime() === watch.createdAt.getTime() && other.id < watch.id)
  );
}

/** What the watch isn't about any more is looked at again when it changes. */
async function noteUncovered(
  tx: Db,
  watch: Watch,
  compared: readonly Compared[],
  covered: readonly Covered[],
): Promise<void> {
  const ids = new Set(covered.map(({ incident }) => incident.id));
  const due = compared.flatMap(({ incident, alert }) => (alert !== null && alert.dueAt !== null ? [incident.id] : []));
  const left = due.filter((id) => !ids.has(id));
  await updateAlerts(tx, watch.id, left, { dueAt: null });
}

async function noteDecisions(
  tx: Db,
  watch: Watch,
  rows: readonly (Covered & { decision: Decision })[],
  now: Date,
): Promise<void> {
  const changed = rows.flatMap(({ alert, decision, incident: { id: incidentId, environment } }) => {
    const found = foundBy(decision, alert, now);
    return isSame(found, alert) ? [] : [{ watchId: watch.id, incidentId, environment, ...found }];
  });
  await putAlerts(tx, changed, ['owedSince', 'heldBy', 'dueAt']);
}

const isSame = (found: Found, alert: Found | null): boolean =>
  found.owedSince?.getTime() === alert?.owedSince?.getTime() &&
  found.dueAt?.getTime() === alert?.dueAt?.getTime() &&
  found.heldBy === (alert?.heldBy ?? null);

type Found = Pick<AlertRow, 'owedSince' | 'heldBy' | 'dueAt'>;

/** Only telling clears a debt. */
function foundBy(decision: Decision, alert: AlertRow | null, now: Date): Found {
  const before = { owedSince: alert?.owedSince ?? null, heldBy: alert?.heldBy ?? null };
  switch (decision.is) {
    case 'post':
      return { ...before, owedSince: before.owedSince ?? now, dueAt: null };
    case 'held':
      return { owedSince: before.owedSince ?? now, heldBy: decision.why, dueAt: decision.until };
    case 'line':
      return { ...before, dueAt: null };
    case 'nothing':
      return { ...before, dueAt: decision.dueAt };
  }
}

async function digestFor(tx: Db, watch: Watch, environment: string, now: Date): Promise<string | null> {
  const orderGroup = groupOf(watch.id, environment);
  const waiting = await waitingIn(tx, orderGroup);
  // What joins a message that waits for its next try is posted with it at once.
  if (waiting !== null) await postAtOnce(tx, waiting);
  if (waiting !== null) return null;
  const { id: owner, channel } = watch;
  return enqueue(tx, { kind: DIGEST, owner, channel, environment, orderGroup, createdAt: now });
}
