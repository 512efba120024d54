import { ServiceError, type ServiceProblem } from '../domain/errors.ts';
import type { TriggeredEvent } from '../domain/event.ts';
import type { Unread } from '../domain/gap.ts';
import type { EventQuery, Page } from '../domain/query.ts';
import type { ReadingWindow } from '../domain/reading.ts';
import { halves } from '../domain/reading-windows.ts';
import type { ReadingParts } from './record-events.ts';

export interface SpanReading {
  /** What of the list is read. */
  readonly channels?: readonly string[];
  onPage(page: Page<TriggeredEvent>): Promise<void>;
  /** No page is asked for after this, by the clock of `parts`, but the first. */
  readonly until: Date;
}

type Parts = Pick<ReadingParts, 'service' | 'logger' | 'now' | 'signal'>;

/** So many parts of a span may fail before the rest is left for later: each failure costs seconds of trying again. */
const MOST_FAILURES = 32;

/**
 * Reads all that can be read of a span, newest first. A part that the service can't answer for, though it answers others, is halved down
 * to a second: what is readable of it is read. Returns what was not read; also what time, or the signal, cut off. Throws `ServiceError`
 * when the service can't be read at all.
 */
export async function readSpan(span: ReadingWindow, reading: SpanReading, parts: Parts): Promise<Unread[]> {
  const unread: Unread[] = [];
  const waiting = [span];
  let failures = 0;
  for (let window = waiting.pop(); window !== undefined; window = waiting.pop()) {
    const { rest, error } = await readWindow(window, reading, parts);
    if (error !== null && rest !== null) {
      if (failures === 0) await proveAlive(error, parts);
      failures += 1;
      const parted = halves(rest);
      if (parted === null) unread.push({ window: rest, problem: error.problem });
      else waiting.push(parted.older, parted.newer);
      // All that waits is older still.
      if (parted === null && error.problem.kind === 'beyond-plan') return [...unread, ...left(waiting, error.problem)];
    } else if (rest !== null) waiting.push(rest);
    if (failures >= MOST_FAILURES || isOver(reading, parts)) return [...unread, ...left(waiting, null)];
  }
  return unread;
}

function left(waiting: readonly ReadingWindow[], problem: ServiceProblem | null): Unread[] {
  return waiting.map((window) => ({ window, problem }));
}

function isOver({ until }: SpanReading, { now, signal }: Pick<Parts, 'now' | 'signal'>): boolean {
  return signal.aborted || now() >= until;
}

/** `rest`: what is left of a window, null where all of it was read; `error`: why, null where time or the signal ended it. */
interface WindowRead {
  readonly rest: ReadingWindow | null;
  readonly error: ServiceError | null;
}

async function readWindow(window: ReadingWindow, reading: SpanReading, parts: Parts): Promise<WindowRead> {
  const { service, signal } = parts;
  let reach = window.to;
  try {
    for await (const page of service.eventPages(queryOf(window, reading), { who: 'poller', signal })) {
      await reading.onPage(page);
      reach = oldest(page, reach);
      // Without a younger reach the next try would begin with the same page.
      if (page.hasMore && isOver(reading, parts) && (reach < window.to || signal.aborted))
        return { rest: { from: window.from, to: reach }, error: null };
    }
    return { rest: null, error: null };
  } catch (error) {
    if (error instanceof ServiceError) return { rest: { from: window.from, to: reach }, error };
    throw error;
  }
}

function queryOf({ from, to }: ReadingWindow, { channels }: SpanReading): EventQuery & { readonly before: Date } {
  return { after: from, before: to, limit: 50, ...(channels && { channels }) };
}

/** Events come newest first: all that is younger than the last one was read. */
function oldest(page: Page<TriggeredEvent>, reach: Date): Date {
  const last = page.items.at(-1)?.createdAt ?? reach;
  return last < reach ? last : reach;
}

const DAY_MS = 24 * 60 * 60_000;

/** Asks for a moment at which there can be no event: a service that does not answer even that is in trouble as a whole. */
async function proveAlive(error: ServiceError, { service, logger, now, signal }: Parts): Promise<void> {
  if (!mayBeAboutTheRequest(error.problem)) throw error;
  const moment = new Date(now().getTime() + DAY_MS);
  for await (const _ of service.eventPages({ after: moment, before: moment, limit: 1 }, { who: 'poller', signal }))
    break;
  const fields = { environment: error.environment, problem: error.problem.kind };
  logger.warn(fields, 'part of the list could not be read, looking for what can be');
}

function mayBeAboutTheRequest(problem: ServiceProblem): boolean {
  switch (problem.kind) {
    case 'refused':
    case 'beyond-plan':
    case 'too-large':
    case 'service-error':
    case 'unreadable':
    case 'timed-out':
      return true;
    case 'gateway':
      return problem.status >= 500;
    default:
      return false;
  }
}
