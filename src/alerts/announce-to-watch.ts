import { addMilliseconds, subDays } from 'date-fns';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { enqueue, postAtOnce, waitingIn } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { MUTES_FOR_DAYS, mutesEndingAfter } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { adoptLater } from './adopt.ts';
import { type Covered, comparedIn, coveredBy, viewOf } from './candidates.ts';
import { noteContinued } from './continued.ts';
import { cursorOf, putCursor } from './cursors.ts';
import { noteDecisions, noteUncovered } from './debts.ts';
import { type Decision, decide, type PostReason, pacedPosts } from './decide.ts';
import { noteEdited } from './edited.ts';
import { toldByOthers } from './rivals.ts';
import { enqueueLine } from './write-lines.ts';

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
  await adoptLater(tx, watch, environment, now);
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

async function digestFor(tx: Db, watch: Watch, environment: string, now: Date): Promise<string | null> {
  const orderGroup = groupOf(watch.id, environment);
  const waiting = await waitingIn(tx, orderGroup);
  // What joins a message that waits for its next try is posted with it at once.
  if (waiting !== null) await postAtOnce(tx, waiting);
  if (waiting !== null) return null;
  const { id: owner, channel } = watch;
  return enqueue(tx, { kind: DIGEST, owner, channel, environment, orderGroup, createdAt: now });
}
