import { subMilliseconds } from 'date-fns';
import { and, desc, eq } from 'drizzle-orm';
import type { EnvironmentRow } from '../coverage/environments.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { byLaggingClock } from '../lib/time/service-clock.ts';
import { redraw } from '../outbox/messages.ts';
import { briefWhy } from '../service/problem-words.ts';
import type { Db } from '../store/db.ts';
import { fireOrRelapse } from './record.ts';
import { SAME_INCIDENT_MS } from './state.ts';
import { incidents } from './tables.ts';

/** The keys of other incidents are hashes. */
const keyOf = (environment: string) => `outage ${environment}`;

/** Needs a lock on the environment. */
export async function noteOutage(
  tx: Db,
  { environment, checkedTo, clockAheadMs }: EnvironmentRow,
  { problem, gapId }: { problem: ServiceProblem; gapId: string },
  now: Date,
) {
  const key = keyOf(environment);
  const lastAt = byLaggingClock(now, clockAheadMs);
  // A clock that is ahead would begin it in our future.
  const startedAt = subMilliseconds(checkedTo, Math.max(0, clockAheadMs ?? 0));
  const { headline, text: causeText } = briefWhy(problem);
  const seen = { gapId, headline, causeText, causeKey: problem.kind, lastAt, lastRecordedAt: now };
  const counted = { failures: 1, critical: true, verdicts: ['failed' as const] };
  const newest = tx.select().from(incidents).where(eq(incidents.key, key)).orderBy(desc(incidents.id)).limit(1);
  const [known] = await newest.for('no key update');
  if (known === undefined || lastAt.getTime() - known.lastAt.getTime() > SAME_INCIDENT_MS) {
    const kind = { key, environment, channel: '', verdictClass: 'announced', isTest: false } as const;
    const begun = { state: 'firing', stateAt: now, firstAt: startedAt, startedAt, recorded: 1 } as const;
    const added = { ...kind, ...seen, ...counted, ...begun, isRecipientFault: false };
    return void (await tx.insert(incidents).values(added));
  }
  const { id, recorded, causeKey } = known;
  const effect = await fireOrRelapse(tx, known, [lastAt], { now, clockAheadMs });
  const relapsed = effect === 'relapses' && { ...counted, startedAt };
  const changed = { ...seen, ...relapsed, recorded: effect === 'stays' ? recorded : recorded + 1 };
  await tx.update(incidents).set(changed).where(eq(incidents.id, id));
  if (causeKey !== problem.kind) await redraw(tx, [id], now);
}

const isOngoing = (environment: string) => and(eq(incidents.key, keyOf(environment)), eq(incidents.state, 'firing'));

export async function openOutage(db: Db, environment: string) {
  const [outage = null] = await db.select().from(incidents).where(isOngoing(environment));
  return outage;
}

export async function noteOutageOver(tx: Db, environment: string, now: Date) {
  const recovering = { state: 'recovering', stateAt: now } as const;
  const over = await tx.update(incidents).set(recovering).where(isOngoing(environment)).returning();
  for (const { id } of over) await redraw(tx, [id], now);
}
