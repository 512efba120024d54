import { addMilliseconds, subMilliseconds } from 'date-fns';
import type { PollingCtx } from '../lib/ctx.ts';
import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { halves, lengthOf } from '../lib/time/coverage.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts';
import type { TimeRange } from '../lib/time/time-range.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';
import type { Unread } from './gap.ts';

/** What one run may still do; its slices share it. Each failure costs seconds of retries. */
export interface ReadingBudget {
  failures: number;
  pages: number;
  planFrom: Date | null;
  readonly signal: AbortSignal;
}

export const MOST_FAILED_REQUESTS = 20;

/** What has more is read in two parts, so that a kill or a limit costs little. */
const MOST_PAGES_A_SLICE = 40;

/** A list's bounds may exclude their own second (contract). */
const [PADDING_MS, LEAST_PADDING_MS] = [1_000, 1];

/** What the service can't show is halved down to a second; the rest is returned. Null: too much for a slice. */
export async function readSlice(
  ctx: PollingCtx,
  environment: string,
  range: TimeRange,
  isFirst: boolean,
  budget: ReadingBudget,
  onPage: (page: Page<TriggeredEvent>) => Promise<void>,
): Promise<readonly Unread[] | null> {
  const unread: Unread[] = [];
  const waiting = [{ window: range, paddingMs: PADDING_MS }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { window, paddingMs } = next;
    if (budget.planFrom !== null && window.to <= budget.planFrom) {
      unread.push({ window, problem: { kind: 'beyond-plan', message: '' } });
      continue;
    }
    try {
      const isWhole = await walk(ctx, environment, window, paddingMs, budget, onPage);
      if (!isWhole) return null;
    } catch (error) {
      if (!(error instanceof ServiceError) || budget.signal.aborted) throw error;
      await throwIfAway(ctx, environment, error, budget);
      budget.failures -= 1;
      const retried = paddingMs === PADDING_MS ? [window] : halves(window, SECOND_MS);
      const isBeyond = error.problem.kind === 'beyond-plan';
      if (isBeyond && retried === null) budget.planFrom = window.to;
      if (retried === null || budget.failures <= 0 || (isBeyond && !isFirst))
        unread.push({ window, problem: error.problem });
      else waiting.push(...retried.map((half) => ({ window: half, paddingMs: LEAST_PADDING_MS })));
    }
  }
  return unread;
}

async function walk(
  ctx: PollingCtx,
  environment: string,
  window: TimeRange,
  paddingMs: number,
  budget: ReadingBudget,
  onPage: (page: Page<TriggeredEvent>) => Promise<void>,
): Promise<boolean> {
  const after = subMilliseconds(window.from, paddingMs);
  const before = addMilliseconds(window.to, paddingMs);
  const call = { who: 'poller', signal: budget.signal } as const;
  let pages = 0;
  for await (const page of ctx.service(environment).eventPages({ after, before, limit: PAGE_SIZE }, call)) {
    await onPage(within(window, page));
    pages += 1;
    budget.pages += 1;
    if (page.hasMore && pages >= MOST_PAGES_A_SLICE && lengthOf(window) > MINUTE_MS) return false;
    if (page.hasMore) budget.signal.throwIfAborted();
  }
  return true;
}

function within({ from, to }: TimeRange, page: Page<TriggeredEvent>): Page<TriggeredEvent> {
  const belongs = ({ createdAt }: { readonly createdAt: Date | null }) =>
    createdAt === null || (createdAt >= from && createdAt < to);
  return { ...page, items: page.items.filter(belongs), unreadable: page.unreadable.filter(belongs) };
}

/** Asks for a moment that can have no events: a service that fails even on that fails as a whole. */
async function throwIfAway(
  ctx: PollingCtx,
  environment: string,
  error: ServiceError,
  { failures, signal }: ReadingBudget,
): Promise<void> {
  if (!mayBeAboutTheRequest(error.problem)) throw error;
  if (failures < MOST_FAILED_REQUESTS) return;
  const moment = new Date(ctx.now().getTime() + DAY_MS);
  const pages = ctx
    .service(environment)
    .eventPages({ after: moment, before: moment, limit: 1 }, { who: 'poller', signal });
  for await (const _ of pages) break;
  const fields = { environment, problem: error.problem.kind };
  ctx.log.warn(fields, "part of the list couldn't be read, looking for what can be");
}
