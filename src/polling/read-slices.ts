import { addMilliseconds, subMilliseconds } from 'date-fns';
import type { Unread } from '../coverage/gap.ts';
import { countedIn, MinuteCounts } from '../coverage/minutes.ts';
import { storedFailures } from '../incidents/failure-rows.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../lib/errors.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import {
  halves,
  lengthOf,
  MINUTE_MS,
  minuteOf,
  SECOND_MS,
  type TimeRange,
  withoutRanges,
} from '../lib/time/durations.ts';
import { eventKey, lacksReason, type TriggeredEvent } from '../service/event.ts';
import { withSteps } from '../service/operations.ts';
import { PAGE_SIZE, type Page } from '../service/query.ts';
import { EVENTS_A_SLICE, minutesOf, reachedIn, slices } from './passes.ts';
import { probe, type Reading } from './reading.ts';
import { judgePage, type SliceFindings } from './record.ts';

export interface Purpose {
  reads: 'present' | 'gap' | 'pass';
  asksForSteps: boolean;
  /** The slices in their order; null: as many as the events take. */
  planned: readonly TimeRange[] | null;
}

interface SliceRead {
  findings: SliceFindings;
  /** How much of the slice counts as read; null if nothing does. */
  read: TimeRange | null;
  unread: readonly Unread[];
  isCounted: boolean;
}

/** A range that stays empty isn't counted. Throws the service's refusal once what was read before it was yielded. */
export async function* readSlices(
  reading: Reading,
  range: TimeRange,
  inGaps: readonly TimeRange[],
  purpose: Purpose,
): AsyncGenerator<SliceRead> {
  const { events, unreadable } = await countedIn(reading.ctx.db, reading.environment, range);
  reading.steps.every = Math.ceil(events / reading.steps.left) || 1;
  const known = events + unreadable;
  const waiting = [...(purpose.planned ?? slices(range, known, reading.keepsMinutes ? PAGE_SIZE : EVENTS_A_SLICE))];
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    reading.signal.throwIfAborted();
    const { findings, isWhole, walked } = await readSlice(reading, slice, inGaps, purpose);
    if (walked.is === 'too-long') {
      waiting.unshift(...(reading.keepsMinutes ? minutesOf(slice) : (halves(slice, MINUTE_MS) ?? [slice])));
      continue;
    }
    if (walked.is === 'refused') {
      const { error, isBegun } = walked;
      if (isBegun) yield { findings, ...keptOf(reading, slice, walked, purpose) };
      throw error;
    }
    const isCounted = isWhole && known + findings.counts.events.size > 0;
    yield { findings, read: slice, unread: walked.unread, isCounted };
    reading.slices += 1;
  }
}

/** Returns what counts as read of a slice that the service refused on the way. Its failures are recorded in any case. */
function keptOf(
  reading: Reading,
  slice: TimeRange,
  { error, reached }: Refused,
  { reads }: Purpose,
): Omit<SliceRead, 'findings'> {
  const nothing = { read: null, unread: [], isCounted: false };
  if (!reading.keepsMinutes) return nothing;
  // A pass knows only up to where it has read.
  if (reached !== null && reads !== 'pass') return { ...nothing, read: reached, isCounted: reads === 'present' };
  // Else a minute with more pages than a poll gets would be begun anew forever.
  if (reading.slices > (reads === 'present' ? 1 : 0)) return nothing;
  const cause = error.problem.kind;
  const unread = withoutRanges(slice, reached === null ? [] : [reached]).map((rest) => ({ ...rest, cause }));
  return { ...nothing, read: slice, unread };
}

type Walked = { is: 'whole'; unread: readonly Unread[] } | { is: 'too-long' } | Refused;

/** `reached` was read by then. */
interface Refused {
  is: 'refused';
  error: ServiceError;
  isBegun: boolean;
  reached: TimeRange | null;
}

async function readSlice(
  reading: Reading,
  slice: TimeRange,
  inGaps: readonly TimeRange[],
  { reads, asksForSteps }: Purpose,
): Promise<{ findings: SliceFindings; isWhole: boolean; walked: Walked }> {
  const findings: SliceFindings = { counts: new MinuteCounts(slice), readings: new Map(), workflows: [], waiting: [] };
  let lacksSteps = false;
  let last: readonly TriggeredEvent[] = [];
  // The next slice counts the padding.
  const isInSlice = ({ createdAt }: TriggeredEvent) => {
    const at = createdAt ?? slice.from;
    return reading.keepsMinutes ? at >= slice.from && at < slice.to : minuteOf(at) < slice.to;
  };
  const onPage: OnPage = async (page) => {
    lacksSteps ||= page.items.some(({ listsSteps }) => !listsSteps);
    const inSlice = page.items.filter(isInSlice);
    const items = [...last, ...(asksForSteps ? await completedItems(reading, inSlice) : inSlice)];
    const lastAt = page.hasMore ? items.at(-1)?.createdAt?.getTime() : null;
    // The next page may show more of that moment, or be refused.
    last = items.filter(({ createdAt }) => createdAt !== null && createdAt.getTime() === lastAt);
    await judgePage(reading, reads, { ...page, items: items.filter((item) => !last.includes(item)) }, findings);
  };
  const walked = await readWindows(reading, withoutRanges(slice, inGaps), onPage);
  const counts = walked.is === 'whole' ? findings.counts : new MinuteCounts(slice);
  await judgePage(reading, reads, { items: last, unreadable: [], hasMore: false }, { ...findings, counts });
  return { findings, isWhole: asksForSteps || !lacksSteps, walked };
}

/** A step that is explained in the store isn't asked for again. */
async function completedItems({ ctx, environment, service, call, steps }: Reading, items: readonly TriggeredEvent[]) {
  const unexplained = items.filter((event) => event.listsSteps && event.jobs.some(lacksReason));
  const known = unexplained.length === 0 ? [] : await storedFailures(ctx.db, environment, unexplained.map(eventKey));
  const stepKey = (key: string, jobId: string) => JSON.stringify([key, jobId]);
  const reasons = new Set(known.flatMap((row) => (row.isUnexplained ? [] : stepKey(row.eventKey, row.jobId))));
  const isKnown = (event: TriggeredEvent, key: string) =>
    event.jobs.filter(lacksReason).every(({ id }) => reasons.has(stepKey(key, boundedId(id))));
  const explained = new Set(unexplained.filter((event) => isKnown(event, eventKey(event))));
  const others = items.filter((event) => !explained.has(event));
  return [...explained, ...(await withSteps(others, service, call, steps))];
}

/** A longer slice is halved, so that a kill or a limit costs little. */
const MOST_PAGES_A_SLICE = 40;

/** A list's bounds may exclude their own second (docs/service.md). */
const [PADDING_MS, LEAST_PADDING_MS] = [1_000, 1];

/** What takes longer is read by the minute. A short slice is read in part: two of these fit into a poll's time limit. */
const [LONGEST_MS, LONGEST_SHORT_MS] = [MINUTE_MS, 4 * MINUTE_MS];
const SHORT_MS = 2 * MINUTE_MS;

type OnPage = (page: Page<TriggeredEvent>) => Promise<void>;

/** Halves refused windows down to a second. */
async function readWindows(reading: Reading, windows: readonly TimeRange[], onPage: OnPage): Promise<Walked> {
  const pagesBefore = reading.pages;
  const begunAt = reading.ctx.now();
  const unread: Unread[] = [];
  const waiting = windows.map((window) => ({ window, paddingMs: PADDING_MS }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { window, paddingMs } = next;
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
    try {
      const ended = await walk(reading, window, paddingMs, onNextPage);
      if (ended === 'too-long') return { is: ended };
      if (ended === 'too-slow')
        return refused(new ServiceError(reading.environment, 'listEvents', { kind: 'timed-out' }));
    } catch (error) {
      if (!(error instanceof ServiceError) || reading.signal.aborted) throw error;
      if (!mayBeAboutTheRequest(error.problem)) return refused(error);
      const away = await orServiceError(probeAgain(reading));
      if (away instanceof ServiceError) return refused(away);
      reading.failedRequestsLeft -= 1;
      if (reading.failedRequestsLeft <= 0 || tookMs(reading, begunAt) > LONGEST_SHORT_MS) reading.trouble = error;
      const retried = paddingMs === PADDING_MS ? [window] : halves(window, SECOND_MS);
      const isBeyond = error.problem.kind === 'beyond-plan';
      if (isBeyond && retried === null) reading.planReachesFrom = window.to;
      if (retried === null || reading.trouble || (isBeyond && window.to <= reading.youngerReadTo))
        unread.push({ ...window, cause: error.problem.kind });
      else waiting.push(...retried.map((half) => ({ window: half, paddingMs: LEAST_PADDING_MS })));
    }
  }
  return { is: 'whole', unread };
}

/** Meanwhile, a request that fails says nothing of the service as a whole. */
const PROBE_HOLDS_MS = 10_000;

async function probeAgain(reading: Reading): Promise<void> {
  if (reading.probedAt !== null && tookMs(reading, reading.probedAt) < PROBE_HOLDS_MS) return;
  await probe(reading);
  reading.probedAt = reading.ctx.now();
}

const tookMs = ({ ctx }: Reading, since: Date): number => ctx.now().getTime() - since.getTime();

async function walk(
  reading: Reading,
  { from, to }: TimeRange,
  paddingMs: number,
  onPage: OnPage,
): Promise<'whole' | 'too-long' | 'too-slow'> {
  const { ctx, service, call, signal } = reading;
  const begunAt = ctx.now();
  const lengthMs = lengthOf({ from, to });
  const query = { after: subMilliseconds(from, paddingMs), before: addMilliseconds(to, paddingMs), limit: PAGE_SIZE };
  let pages = 0;
  for await (const page of service.eventPages(query, call)) {
    await onPage(page);
    pages += 1;
    reading.pages += 1;
    if (page.hasMore && pages >= MOST_PAGES_A_SLICE && lengthMs > MINUTE_MS) return 'too-long';
    const isShort = lengthMs <= SHORT_MS;
    if (page.hasMore && tookMs(reading, begunAt) > (isShort ? LONGEST_SHORT_MS : LONGEST_MS)) {
      reading.keepsMinutes = true;
      return isShort ? 'too-slow' : 'too-long';
    }
    signal.throwIfAborted();
  }
  return 'whole';
}
