import { z } from 'zod';
import { type Absence, drawService } from './draw-service.ts';
import type { Story, StoryEvent } from './story.ts';
import { MINUTE, SECOND } from './virtual-time.ts';
import { idOf, subscriberOf, wireEvent } from './wire-event.ts';
import type { World } from './world.ts';

/** The outcome of a request: an answer, or what prevents one. */
type ServiceAnswer =
  | { kind: 'answered'; status: number; headers: Headers; text: string }
  | { kind: 'refused-connection' }
  | { kind: 'hangs' };

interface RequestMade {
  at: number;
  /** The end of the range that a list was asked for, by the service's clock; null for a single event. */
  before: number | null;
  /** The age of a single event, by true time; null for a list. */
  age: number | null;
}

export interface DifficultService {
  /** Answers a GET of `path` as of `now`, in true time, or a POST of the body. */
  answer(path: string, now: number, body?: unknown): ServiceAnswer;
  /** Notes that a request is on its way. */
  sent(now: number, body?: unknown): void;
  /** Notes an answer to a read that arrived: nobody keeps to a 429 that comes after its request was given up. */
  received(answer: ServiceAnswer): void;
  requests: readonly RequestMade[];
  /** The age up to which the plan keeps events; null if that is at least the horizon. */
  planMs: number | null;
  /** How far its clock is ahead of true time at first, and at a time. */
  skewMs: number;
  skewAt: (time: number) => number;
  /** The moments about which queries fail, by the service's clock. */
  moments: readonly number[];
  absences: readonly Absence[];
  /** The events, by index, that one answer left out; when answers showed each event, and with its steps. */
  absentOnce: ReadonlySet<number>;
  shownAt: ReadonlyMap<number, readonly number[]>;
  stepsShownAt: ReadonlyMap<number, readonly number[]>;
  /** What was sent again, as it arrived. */
  sends: readonly Sent[];
  /** How many reads came before the time that a 429 had named. */
  impatient: () => number;
}

export type Sent = z.output<typeof Sent>;
const Sent = z.object({
  transactionId: z.string(),
  to: z.tuple([z.object({ subscriberId: z.string() })]),
  payload: z.object({ order: z.number() }),
});
const Sending = z.object({ events: z.array(Sent) });

/** Its rate limit counts requests by these. */
const WINDOW_MS = 5 * SECOND;
/** Contract of src/service/limits.ts: the poller waits no longer than this. */
const LONGEST_HOLD_MS = MINUTE;
/** A Notif that sends more gets no more answers, and is reported for it. An endless list with a moment that fails takes up to 3,500. */
export const MOST_REQUESTS = 10_000;

/** Answers the list and retrieval of a story's events, with every quirk that's switched on. */
export function createDifficultService(world: World, story: Story): DifficultService {
  const nature = drawService(world, story);
  const naming = { renamedAt: story.renamedAt };
  const requests: RequestMade[] = [];
  const sends: Sent[] = [];
  const perWindow = new Map<string, number>();
  const notFoundOnce = new Set<number>();
  const shownFirstAt = new Map<number, number>();
  const absentOnce = new Set<number>();
  const shownAt = new Map<number, number[]>();
  const stepsShownAt = new Map<number, number[]>();
  let hasAskedForFarRetry = false;
  /** The time that a 429 named. */
  const retryAt = new WeakMap<ServiceAnswer, number>();
  let limitedUntil = 0;
  let impatient = 0;

  function answer(path: string, now: number, body?: unknown): ServiceAnswer {
    const url = new URL(path, 'http://service');
    if (body !== undefined) return absence(now) ?? rateLimit(now, 'write') ?? take(body, now);
    // Messages say no more than details do.
    if (url.pathname === '/v1/messages')
      return absence(now) ?? rateLimit(now, 'read') ?? pageOf([], url.searchParams, now);
    const single = /^\/v1\/notifications\/([^/]+)$/.exec(url.pathname)?.[1];
    const event =
      single === undefined ? null : (story.events.find((hit) => idOf(hit) === decodeURIComponent(single)) ?? null);
    requests.push({
      at: now,
      before: single === undefined ? Date.parse(url.searchParams.get('before') ?? '') : null,
      age: event === null ? null : now - event.createdAt,
    });
    if (requests.length > MOST_REQUESTS) return { kind: 'hangs' };
    const trouble = absence(now) ?? rateLimit(now, 'read');
    if (trouble !== null) return trouble;
    return single === undefined ? list(url.searchParams, now) : retrieve(event, now);
  }

  /** What is sent doesn't show: nobody knows then whether a request without an answer was carried out. */
  function take(body: unknown, now: number): ServiceAnswer {
    const { events } = Sending.parse(body);
    sends.push(...events);
    if (now < story.calmFrom && world.random(`send ${sends.length}`).chance(0.4)) return { kind: 'hangs' };
    return json(201, { data: events.map(({ transactionId }) => ({ status: 'processed', transactionId })) }, now);
  }

  function absence(now: number): ServiceAnswer | null {
    const how = nature.absences.find(({ from, to }) => now >= from && now < to)?.how;
    if (how === undefined) return null;
    if (how === 'hangs' || how === 'refused-connection') return { kind: how };
    return json(how, how === 503 ? null : { statusCode: how, message: 'not now' }, now);
  }

  /** Reads and writes have windows of their own, and a write waits only for its own answer. */
  function rateLimit(now: number, kind: 'read' | 'write'): ServiceAnswer | null {
    if (world.has('rate-limit-far') && !hasAskedForFarRetry && now >= nature.farRetryAt && kind === 'read') {
      hasAskedForFarRetry = true;
      return tooMany(now, now + LONGEST_HOLD_MS, { 'retry-after': nature.farRetryAfter });
    }
    if (!world.has('rate-limit') && !world.has('rate-limit-bare')) return null;
    const window = `${kind} ${Math.floor(now / WINDOW_MS)}`;
    const used = (perWindow.get(window) ?? 0) + 1;
    perWindow.set(window, used);
    if (used <= nature.requestsAWindow) return null;
    const waitSeconds = Math.max(1, Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / SECOND));
    const until = world.has('rate-limit') ? now + waitSeconds * SECOND : now + WINDOW_MS;
    const headers = world.has('rate-limit') ? { 'retry-after': `${waitSeconds}` } : {};
    return tooMany(now, kind === 'read' ? until : null, headers);
  }

  function tooMany(now: number, until: number | null, headers: Record<string, string>): ServiceAnswer {
    const refusal = json(429, { statusCode: 429, message: 'too many' }, now, headers);
    if (until !== null) retryAt.set(refusal, until);
    return refusal;
  }

  function sent(now: number, body?: unknown): void {
    if (body === undefined && now < limitedUntil) impatient += 1;
  }

  function received(answered: ServiceAnswer): void {
    limitedUntil = retryAt.get(answered) ?? limitedUntil;
  }

  function list(query: URLSearchParams, now: number): ServiceAnswer {
    const after = timeIn(query, 'after') ?? 0;
    const before = timeIn(query, 'before') ?? now + skewAt(now);
    const [channels, people] = [query.getAll('channels'), query.getAll('subscriberIds')];
    const { planMs, refusedMoment, failingMoment } = nature;
    if (planMs !== null && after < now + skewAt(now) - planMs) {
      return json(402, { statusCode: 402, message: 'beyond what your plan keeps' }, now);
    }
    const holds = (moment: number) => moment >= after && moment <= before;
    if (refusedMoment !== null && holds(refusedMoment)) return json(422, { statusCode: 422, message: 'no' }, now);
    if (failingMoment !== null && now < failingMoment.until && holds(failingMoment.moment)) {
      return json(500, { statusCode: 500, message: 'no', errorId: 'e-1' }, now);
    }
    const isWithin = world.has('exclusive-bounds')
      ? (time: number) => time > after && time < before
      : (time: number) => time >= after && time <= before;
    const found = story.events
      .filter((event) => event.listedAt <= now && isWithin(shownTime(event)))
      .filter(({ workflow }) => channels.length === 0 || channels.includes(workflow.channel))
      .filter((event) => people.length === 0 || people.includes(subscriberOf(event)));
    return pageOf(ordered(found), query, now);
  }

  function isAbsentNow(event: StoryEvent, query: URLSearchParams, now: number): boolean {
    const { index } = event;
    if (!world.has('absent-once') || absentOnce.has(index) || index % 3 !== 0) return false;
    // In the padding of a window nobody records it: the window that it belongs to is asked for next.
    const inner = { from: (timeIn(query, 'after') ?? 0) + SECOND, to: (timeIn(query, 'before') ?? now) - SECOND };
    if (shownTime(event) < inner.from || shownTime(event) > inner.to) return false;
    // The first answers for its page show it, so that a later one without it can be noticed.
    const firstAt = shownFirstAt.get(index) ?? now;
    shownFirstAt.set(index, firstAt);
    if (now - firstAt < SECOND) return false;
    absentOnce.add(index);
    return true;
  }

  function ordered(events: readonly StoryEvent[]): StoryEvent[] {
    const direction = world.has('ascending') ? 1 : -1;
    const turn = world.has('reordered-ties') ? requests.length : 0;
    // Another order at each request, mixed by large odd numbers.
    const tie = ({ index }: StoryEvent) => (turn === 0 ? index : Math.imul(index + 1, 2654435761 + turn * 40503) >>> 0);
    return [...events].sort((a, b) => direction * (a.createdAt - b.createdAt) || tie(a) - tie(b));
  }

  function pageOf(events: readonly StoryEvent[], query: URLSearchParams, now: number): ServiceAnswer {
    const limit = Number(query.get('limit') ?? '10');
    const page = Number(query.get('page') ?? '0');
    const lastPage = Math.max(0, Math.ceil(events.length / limit) - 1);
    const shown = world.has('endless-list') ? Math.min(page, lastPage) : page;
    const items = events.slice(shown * limit, (shown + 1) * limit);
    const hasMore = world.has('endless-list') || items.length === limit;
    const present = items.filter((event) => !isAbsentNow(event, query, now));
    const hasJobs = !world.has('no-jobs-in-list');
    const hasDetails = !world.has('no-details-in-list');
    for (const event of present) noteShown(event, now, hasJobs && hasDetails);
    const data = present.map((event) => wireEvent(event, now, { ...naming, skewAt, hasJobs, hasDetails }));
    return json(200, { data, hasMore, page, pageSize: limit }, now);
  }

  function retrieve(event: StoryEvent | null, now: number): ServiceAnswer {
    if (event === null || event.listedAt > now) return json(404, { statusCode: 404, message: 'not found' }, now);
    if (world.has('not-found-once') && !notFoundOnce.has(event.index)) {
      notFoundOnce.add(event.index);
      return json(404, { statusCode: 404, message: 'not found' }, now);
    }
    noteShown(event, now, true);
    return json(200, { data: wireEvent(event, now, { ...naming, skewAt, hasJobs: true, hasDetails: true }) }, now);
  }

  function noteShown({ index }: StoryEvent, now: number, hasSteps: boolean): void {
    for (const shown of hasSteps ? [shownAt, stepsShownAt] : [shownAt])
      shown.set(index, [...(shown.get(index) ?? []), now]);
  }

  const skewAt = (time: number) => nature.skewMs + (time >= nature.clockStep.at ? nature.clockStep.ms : 0);
  const shownTime = ({ createdAt }: StoryEvent) => createdAt + skewAt(createdAt);

  function json(status: number, body: object | null, now: number, headers: Record<string, string> = {}): ServiceAnswer {
    const date = world.has('no-date') ? {} : { date: new Date(now + skewAt(now)).toUTCString() };
    const all = new Headers({ 'content-type': 'application/json', ...date, ...headers });
    return { kind: 'answered', status, headers: all, text: body === null ? '' : JSON.stringify(body) };
  }

  const moments = [nature.refusedMoment, nature.failingMoment?.moment ?? null].filter((moment) => moment !== null);
  const { planMs, skewMs, absences } = nature;
  const shown = { absentOnce, shownAt, stepsShownAt, impatient: () => impatient };
  return { answer, sent, received, requests, sends, moments, planMs, skewMs, skewAt, absences, ...shown };
}

function timeIn(query: URLSearchParams, name: string): number | null {
  const time = Date.parse(query.get(name) ?? '');
  return Number.isNaN(time) ? null : time;
}
