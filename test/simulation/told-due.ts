import { broke, type Discrepancy } from './account.ts';
import type { Shown } from './difficult-slack.ts';
import { isOfSingles } from './readings.ts';
import {
  type FailureThen,
  freeMs,
  isLost,
  isMuted,
  MINUTE,
  type Moment,
  type Told,
  type WatchThen,
} from './told-facts.ts';
import { clock } from './virtual-time.ts';

/** What may be few people's own trouble is gathered for a quarter of an hour, and told with the poll after that. */
const GATHERED_MS = 16 * MINUTE;

/** A third person's failure makes a row of what is gathered; that of a fourth does so certainly. */
const CERTAINLY_MANY = 4;

/** What a watch has to tell. */
interface Subject {
  watchId: string;
  incident: number;
  outbreak: number;
}

/** Each outbreak that a watch covers is posted within the promised time, unless something holds it back. */
export function untold(told: Told): Discrepancy[] {
  return subjectsIn(told).flatMap((subject) => {
    const { watchId, incident, outbreak } = subject;
    const overdue = overdueIn(told, subject);
    if (overdue === null) return [];
    return [broke('due', `${watchId} had to be alerted to #${incident}, outbreak ${outbreak}, ${overdue}`)];
  });
}

function subjectsIn({ moments }: Told): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const { incidents, watches } of moments)
    for (const watchId of watches.keys())
      for (const [incident, { outbreak }] of incidents)
        subjects.set(`${watchId} ${incident} ${outbreak}`, { watchId, incident, outbreak });
  return [...subjects.values()];
}

/** Null: it was told in time, or needn't be told. */
function overdueIn(told: Told, subject: Subject): string | null {
  const { incident } = subject;
  const gatheredMs = told.mayBeSingle.has(incident) ? GATHERED_MS : 0;
  const posts = told.shown.filter(
    (each) => !each.isEdit && each.threadOf === null && told.aboutOf.get(each.deliveryId)?.includes(incident),
  );
  let waited = { since: Number.NaN, ms: 0 };
  for (const span of owedSpans(told, subject)) {
    const { since, moment, next, owed } = span;
    const post = posts.find((each) => isToldBy(told, incident, span, each));
    if (post !== undefined && post.at <= next.at + told.withinMs(next.at)) return null;
    if (waited.since !== since) waited = { since, ms: 0 };
    if (isFree(told, subject, span, posts)) waited.ms += freeMs(told, moment.at, next.at);
    if (waited.ms > told.withinMs(since) + gatheredMs)
      return `${owed.length} failures from ${clock(firstOf(owed))}, and wasn't by ${clock(next.at)}`;
  }
  return null;
}

/** The time between two moments in which an outbreak was its incident's newest. */
interface Span {
  moment: Moment;
  next: Moment;
  watch: WatchThen;
  /** The watch as it was at the moment before. */
  before: WatchThen;
  /** The outbreak's failures that Notif knew at the moment. */
  failures: readonly FailureThen[];
}

/** Up to the end of the outbreak or of the watch. A watch that is made during the story has none. */
function spansOf({ moments }: Told, { watchId, incident, outbreak }: Subject): Span[] {
  const spans: Span[] = [];
  for (const [index, moment] of moments.entries()) {
    const next = moments[index + 1];
    const watch = moment.watches.get(watchId);
    if (watch === undefined || next === undefined) break;
    const then = moment.incidents.get(incident);
    if (then === undefined || then.outbreak < outbreak) continue;
    if (then.outbreak > outbreak) break;
    const before = moments[index - 1]?.watches.get(watchId) ?? watch;
    spans.push({ moment, next, watch, before, failures: then.failures });
  }
  return spans;
}

interface OwedSpan extends Span {
  /** Since when the watch has owed it without a pause. */
  since: number;
  owed: readonly FailureThen[];
  /** What the watch covers, and covered before. */
  covered: readonly FailureThen[];
}

function owedSpans(told: Told, subject: Subject): OwedSpan[] {
  const { incident } = subject;
  const spans: OwedSpan[] = [];
  let owed: readonly FailureThen[] = [];
  let since: number | null = null;
  for (const span of spansOf(told, subject)) {
    const { moment, watch, before, failures } = span;
    if (since === null && mayCountAsTold(span, incident, owed)) break;
    const covered = failures.filter((failure) => [before, watch].every((each) => each.covers(incident, failure)));
    // What was owed once stays so, whatever the watch covers now.
    const owedIds = new Set([...owed, ...covered].map(({ id }) => id));
    owed = failures.filter(({ id }) => owedIds.has(id));
    if (owed.length === 0) since = null;
    else if (since !== null || watch.isThresholdReached(covered)) {
      since ??= moment.at;
      spans.push({ ...span, since, owed, covered });
    }
  }
  return spans;
}

/** What an edit newly covers, and nothing is certainly owed of, may count as told. */
function mayCountAsTold({ watch, before, failures }: Span, incident: number, owed: readonly FailureThen[]): boolean {
  if (before.settings === watch.settings) return false;
  const isNewlyCovered = (failure: FailureThen) => watch.covers(incident, failure) && !before.covers(incident, failure);
  return owed.length > 0 || failures.some(isNewlyCovered);
}

function isToldBy(told: Told, incident: number, { watch, owed, covered }: OwedSpan, post: Shown): boolean {
  if (post.place !== watch.channel) return false;
  // What was posted in a lost time is adopted: its text has other numbers.
  if (isLost(told, post.drawnAt)) return true;
  if (post.drawnAt < firstOf(owed) - told.blurMs) return false;
  const people = new Set(covered.map(({ person }) => person)).size;
  const isGathered = told.mayBeSingle.has(incident) && people < CERTAINLY_MANY;
  return isGathered || !isSingleOnly(post, incident);
}

const firstOf = (failures: readonly FailureThen[]): number => Math.min(...failures.map(({ at }) => at));

const isSingleOnly = (post: Shown, incident: number): boolean =>
  isOfSingles(post) && !new RegExp(`#${incident}\\b|more incident`).test(post.text);

/** Whether nothing of the watch or the incident holds the outbreak back. */
function isFree(
  told: Told,
  { watchId, incident, outbreak }: Subject,
  { moment, next, watch }: Span,
  posts: readonly Shown[],
): boolean {
  if (watch.mayBeHeld || next.watches.get(watchId)?.mayBeHeld) return false;
  if ([moment, next].some(({ at }) => isMuted(told, watchId, incident, outbreak, at))) return false;
  if (watch.everyMs > 0 && hasPostedWithin(told, watchId, watch.everyMs, next.at)) return false;
  const lastPostAt = posts.findLast(({ place, at }) => place === watch.channel && at <= next.at)?.at ?? 0;
  return lastPostAt + pauseBeforeMs(outbreak) < moment.at;
}

const hasPostedWithin = ({ shown, watchOf }: Told, watchId: string, ms: number, at: number): boolean =>
  shown.some(
    (each) => watchOf.get(each.deliveryId) === watchId && !each.isEdit && each.at < at && each.at > at - ms - MINUTE,
  );

/** An incident that comes back is told at once, and then after 10, 20, 40 … minutes. */
const pauseBeforeMs = (outbreak: number): number => (outbreak <= 2 ? 0 : 10 * MINUTE * 2 ** (outbreak - 3));
