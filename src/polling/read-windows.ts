import { addMilliseconds, subMilliseconds } from 'date-fns';
import type { Unread } from '../coverage/gap.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../lib/errors.ts';
import { halves, lengthOf, MINUTE_MS, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';

import { probe, type Reading } from './reading.ts';
import { reachedIn } from './slices.ts';

/** A list's bounds may exclude their own second (docs/service.md). What is refused is tried with less. */
const PADDING_MS = 1_000;
const LEAST_PADDING_MS = 1;

/** What has more is read in halves, so that a kill or a limit costs little. */
const MOST_PAGES = 40;

/** What takes longer is read by the minute. */
const LONGEST_WALK_MS = MINUTE_MS;
/** A short window is kept in part instead: two of these fit into a poll's time limit. */
const SHORT_WINDOW_MS = 2 * MINUTE_MS;
const LONGEST_WALK_OF_SHORT_MS = 4 * MINUTE_MS;

/** So long after a probe, a request that fails says nothing of the service as a whole. */
const PROBE_HOLDS_MS = 10_000;

export type OnPage = (page: Page<TriggeredEvent>) => Promise<void>;

export type Walked = { is: 'whole'; unread: readonly Unread[] } | { is: 'too-long' } | Refused;

/** `reached` was read by then. */
export interface Refused {
  is: 'refused';
  error: ServiceError;
  isBegun: boolean;
  reached: TimeRange | null;
}

interface Try {
  window: TimeRange;
  paddingMs: number;
}

/** Halves windows that the service refuses, down to a second. */
export async function readWindows(reading: Reading, windows: readonly TimeRange[], onPage: OnPage): Promise<Walked> {
  const pagesBefore = reading.pages;
  const begunAt = reading.ctx.now();
  const unread: Unread[] = [];
  const waiting: Try[] = windows.map((window) => ({ window, paddingMs: PADDING_MS }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { window } = next;
    if (window.to <= reading.planReachesFrom) {
      unread.push({ ...window, cause: 'beyond-plan' });
      continue;
    }
    const times: number[] = [];
    const onNextPage: OnPage = async (page) => {
      await onPage(page);
      times.push(...page.items.flatMap(({ createdAt }) => createdAt?.getTime() ?? []));
    };
    const refused = (error: ServiceError): Refused => {
      return { is: 'refused', error, isBegun: reading.pages > pagesBefore, reached: reachedIn(window, times) };
    };
    const ended = await orServiceError(walk(reading, next, onNextPage));
    if (ended === 'whole') continue;
    if (ended === 'too-long') return { is: 'too-long' };
    if (ended === 'too-slow')
      return refused(new ServiceError(reading.environment, 'listEvents', { kind: 'timed-out' }));
    if (reading.signal.aborted) throw ended;
    const trouble = await troubleOfService(reading, ended);
    if (trouble !== null) return refused(trouble);
    const retries = retryOrGiveUp(reading, next, ended, begunAt);
    if (retries === null) unread.push({ ...window, cause: ended.problem.kind });
    else waiting.push(...retries);
  }
  return { is: 'whole', unread };
}

async function walk(
  reading: Reading,
  { window, paddingMs }: Try,
  onPage: OnPage,
): Promise<'whole' | 'too-long' | 'too-slow'> {
  const { ctx, service, call, signal } = reading;
  const begunAt = ctx.now();
  const isShort = lengthOf(window) <= SHORT_WINDOW_MS;
  const longestMs = isShort ? LONGEST_WALK_OF_SHORT_MS : LONGEST_WALK_MS;
  const after = subMilliseconds(window.from, paddingMs);
  const before = addMilliseconds(window.to, paddingMs);
  let pages = 0;
  for await (const page of service.eventPages({ after, before, limit: PAGE_SIZE }, call)) {
    await onPage(page);
    pages += 1;
    reading.pages += 1;
    if (page.hasMore && pages >= MOST_PAGES && lengthOf(window) > MINUTE_MS) return 'too-long';
    if (page.hasMore && tookMs(reading, begunAt) > longestMs) {
      reading.keepsMinutes = true;
      return isShort ? 'too-slow' : 'too-long';
    }
    signal.throwIfAborted();
  }
  return 'whole';
}

/** Returns why the service can't be read at all now; null: what it refused is about its request. */
async function troubleOfService(reading: Reading, refusal: ServiceError): Promise<ServiceError | null> {
  if (!mayBeAboutTheRequest(refusal.problem)) return refusal;
  if (reading.probedAt !== null && tookMs(reading, reading.probedAt) < PROBE_HOLDS_MS) return null;
  const probed = await orServiceError(probe(reading));
  if (probed instanceof ServiceError) return probed;
  reading.probedAt = reading.ctx.now();
  return null;
}

/** Returns how a refused window is tried next: with less padding, then in halves; null: no more in this reading. */
function retryOrGiveUp(
  reading: Reading,
  { window, paddingMs }: Try,
  refusal: ServiceError,
  begunAt: Date,
): Try[] | null {
  reading.failedRequestsLeft -= 1;
  const tookTooLong = tookMs(reading, begunAt) > LONGEST_WALK_OF_SHORT_MS;
  if (reading.failedRequestsLeft <= 0 || tookTooLong) reading.trouble = refusal;
  const smaller = paddingMs === PADDING_MS ? [window] : halves(window, SECOND_MS);
  if (refusal.problem.kind === 'beyond-plan') {
    if (smaller === null) reading.planReachesFrom = window.to;
    // Nothing is missed where a younger pass has read.
    if (window.to <= reading.youngerReadTo) return null;
  }
  if (smaller === null || reading.trouble !== null) return null;
  return smaller.map((part) => ({ window: part, paddingMs: LEAST_PADDING_MS }));
}

const tookMs = ({ ctx }: Reading, since: Date): number => ctx.now().getTime() - since.getTime();
