import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type JudgedEvent, judgeNow } from '../judging/judge.ts';
import { Payload } from '../lib/text/payload.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { isMerged, type TriggeredEvent } from '../service/event.ts';
import type { EventReader } from '../service/operations.ts';
import { type Call, type Misfit, PAGE_SIZE, PERSON } from '../service/query.ts';
import { type StepsBudget, stepsBudget, withSteps } from '../service/steps.ts';
import { type Db, textList } from '../store/db.ts';
import type { ReadCtx } from './event.ts';
import { needsEyes, outcomeOf } from './outcome.ts';

/** Two hundred pages are ten thousand events. */
const MOST_PAGES = 200;
const LONGEST_READING_MS = MINUTE_MS;

export interface TransactionRead {
  events: readonly JudgedEvent[];
  unreadable: number;
  misfits: readonly Misfit[];
  isAll: boolean;
}

/** Beyond the first page, events that need no attention lose their steps and payload. */
export async function readTransaction(ctx: ReadCtx<EventReader>, transactionId: string): Promise<TransactionRead> {
  const events: JudgedEvent[] = [];
  const misfits: Misfit[] = [];
  let unreadable = 0;
  let isAll = true;
  for await (const page of transactionPages(ctx, transactionId)) {
    events.push(...(events.length === 0 ? page.events : page.events.map(withoutSteps)));
    unreadable += page.unreadable;
    misfits.push(...page.misfits);
    isAll = page.isLast;
    ctx.progress?.(events.length);
  }
  return { events, unreadable, misfits, isAll };
}

interface TransactionPage {
  events: readonly JudgedEvent[];
  unreadable: number;
  misfits: readonly Misfit[];
  isLast: boolean;
}

/** Ends early at ten thousand events, or after a minute. */
export async function* transactionPages(
  ctx: ReadCtx<EventReader>,
  transactionId: string,
): AsyncGenerator<TransactionPage> {
  const { service, now } = ctx;
  const startedAt = now().getTime();
  const steps = stepsBudget();
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let pages = 0;
  for await (const { items, unreadable, misfits = [], hasMore } of service.eventPages(query, PERSON)) {
    const events = await judgedEvents(items, ctx, steps);
    yield { events, unreadable: unreadable.length, misfits, isLast: !hasMore };
    pages += 1;
    if (pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS) return;
  }
}

function withoutSteps({ event, judgment }: JudgedEvent) {
  if (needsEyes(outcomeOf(event, judgment)) || event.jobs.some(isMerged)) return { event, judgment };
  return { event: { ...event, jobs: [], payload: new Payload({}) }, judgment: { ...judgment, steps: [] } };
}

export async function judgedEvents(
  listed: readonly TriggeredEvent[],
  { service, now, call = PERSON }: ReadCtx<EventReader> & { call?: Call },
  budget: StepsBudget,
): Promise<JudgedEvent[]> {
  const judged: JudgedEvent[] = [];
  for (const event of await withSteps(listed, service, call, budget)) {
    await setImmediate();
    judged.push({ event, judgment: await judgeNow(event, { service, now }) });
  }
  return judged;
}

/** Characters of either end are compared, since event IDs begin alike. */
const ALIKE = 10;
/** How many of the newest failures are searched: no index finds the end of an ID. */
const MOST_SEARCHED = 20_000;

const SimilarRow = z.object({ environment: z.string(), transactionId: z.string() });
export type SimilarTransaction = z.output<typeof SimilarRow>;

/** Returns transactions of failures whose ID, with or without `txn_`, begins or ends like this one. */
export async function similarTransactions(
  db: Db,
  environments: readonly string[],
  id: string,
): Promise<SimilarTransaction[]> {
  const core = id.toLowerCase().replace(/^txn_/, '');
  if (core.length < ALIKE) return [];
  const [beginning, end] = [core.slice(0, ALIKE), core.slice(-ALIKE)];
  return db.rows(
    SimilarRow,
    sql`
      SELECT DISTINCT environment, transaction_id
      FROM (
        SELECT environment, transaction_id, event_id
        FROM failures
        ORDER BY seq DESC
        LIMIT ${MOST_SEARCHED}
      ) newest
      WHERE environment IN ${textList(environments)}
        AND (
          lower(left(regexp_replace(transaction_id, '^txn_', '', 'i'), ${ALIKE})) = ${beginning}
          OR ${end} IN (lower(right(transaction_id, ${ALIKE})), lower(right(event_id, ${ALIKE})))
        )
      LIMIT 3`,
  );
}
