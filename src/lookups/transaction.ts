import { setImmediate } from 'node:timers/promises';
import { type JudgedEvent, judgeNow } from '../judging/judge.ts';
import { Payload } from '../lib/text/payload.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { isMerged, type TriggeredEvent } from '../service/event.ts';
import type { EventReader } from '../service/operations.ts';
import { type Call, type Misfit, PAGE_SIZE, PERSON } from '../service/query.ts';
import { type StepsBudget, stepsBudget, withSteps } from '../service/steps.ts';
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

interface TransactionPage extends Omit<TransactionRead, 'isAll'> {
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

function withoutSteps({ event, judgment }: JudgedEvent): JudgedEvent {
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
