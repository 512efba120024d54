import { addMilliseconds, subMilliseconds } from 'date-fns';
import type { Unread } from '../coverage/gap.ts';
import { halves, lengthOf, MINUTE_MS, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../service/service-error.ts';
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

/** The service can't be read now. */
export interface Refused {
  is: 'refused';
  error: ServiceError;
  /** Some page of any of the windows was read. */
  isBegun: boolean;
  /** What was read of the window that was refused. */
  reached: TimeRange | null;
}

interface Try {
  window: TimeRange;
  paddingMs: number;
}

/**
 * Reads windows, given from the oldest to the newest. Those whose requests are refused are halved, down to a second:
 * what is left of them is `unread`. Ends at the first window that is too long, or when the service can't be read.
 */
export async function readWindows(reading: Reading, windows: readonly TimeRange[], onPage: OnPage): Promise<Walked> {
  const pagesBefore = reading.pages;
  const begunAt = reading.ctx.now();
  const unread: Unread[] = [];
  // The newest is read first: where it is beyond the plan, all that is older is, too, and isn't asked for.
  const waiting: Try[] = windows.map((window) => ({ window, paddingMs: PADDING_MS }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { window } = next;
    if (window.to <= reading.planReachesFrom) {
      unread.push({ ...window, cause: 'beyond-plan' });
      continue;
    }
    const result = await readWindow(reading, next, onPage);
    if (result.is === 'whole') continue;
    if (result.is === 'too-long') return result;
    if (result.is === 'refused') return { ...result, isBegun: reading.pages > pagesBefore };
    const smaller = smallerTries(next);
    noteRefusal(reading, result.error, begunAt);
    if (smaller === null && result.error.problem.kind === 'beyond-plan') reading.planReachesFrom = window.to;
    if (smaller !== null && isTriedAgain(reading, window, result.error)) waiting.push(...smaller);
    else unread.push({ ...window, cause: result.error.problem.kind });
  }
  return { is: 'whole', unread };
}

type WindowResult =
  | { is: 'whole' }
  | { is: 'too-long' }
  | Omit<Refused, 'isBegun'>
  | { is: 'request-refused'; error: ServiceError };

/** Reads a window in one walk, and probes the service if it refuses that. */
async function readWindow(reading: Reading, next: Try, onPage: OnPage): Promise<WindowResult> {
  const times: number[] = [];
  const onNextPage: OnPage = async (page) => {
    await onPage(page);
    times.push(...page.items.flatMap(({ createdAt }) => createdAt?.getTime() ?? []));
  };
  const refused = (error: ServiceError): WindowResult => {
    return { is: 'refused', error, reached: reachedIn(next.window, times) };
  };
  const ended = await orServiceError(walk(reading, next, onNextPage));
  if (ended === 'whole' || ended === 'too-long') return { is: ended };
  if (ended === 'too-slow') return refused(new ServiceError(reading.environment, 'listEvents', { kind: 'timed-out' }));
  if (reading.signal.aborted) throw ended;
  const trouble = await troubleOfService(reading, ended);
  return trouble === null ? { is: 'request-refused', error: ended } : refused(trouble);
}

/** Has the reading keep each minute from now on where the walk takes too long. */
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

/** Returns why the service can't be read at all now; null: what it refused is about its request. Notes a probe's time. */
async function troubleOfService(reading: Reading, refusal: ServiceError): Promise<ServiceError | null> {
  if (!mayBeAboutTheRequest(refusal.problem)) return refusal;
  if (reading.probedAt !== null && tookMs(reading, reading.probedAt) < PROBE_HOLDS_MS) return null;
  const probed = await orServiceError(probe(reading));
  if (probed instanceof ServiceError) return probed;
  reading.probedAt = reading.ctx.now();
  return null;
}

/** Returns how less is asked for: with less padding, then in halves; null: it's no longer than a second. */
function smallerTries({ window, paddingMs }: Try): readonly Try[] | null {
  const smaller = paddingMs === PADDING_MS ? [window] : halves(window, SECOND_MS);
  return smaller?.map((part) => ({ window: part, paddingMs: LEAST_PADDING_MS })) ?? null;
}

/** After too many refused requests, or too long a time, the refusal is the reading's trouble. */
function noteRefusal(reading: Reading, refusal: ServiceError, begunAt: Date): void {
  reading.failedRequestsLeft -= 1;
  const tookTooLong = tookMs(reading, begunAt) > LONGEST_WALK_OF_SHORT_MS;
  if (reading.failedRequestsLeft <= 0 || tookTooLong) reading.trouble = refusal;
}

function isTriedAgain({ trouble, youngerReadTo }: Reading, window: TimeRange, refusal: ServiceError): boolean {
  // Nothing is missed where a younger pass has read: openGapsFor leaves it out.
  if (refusal.problem.kind === 'beyond-plan' && window.to <= youngerReadTo) return false;
  return trouble === null;
}

const tookMs = ({ ctx }: Reading, since: Date): number => ctx.now().getTime() - since.getTime();
