import type { DifficultService } from './difficult-service.ts';
import type { PlantedFailure } from './facts.ts';
import { type Played, TAIL_POLL_MS } from './play.ts';
import { CLOCKS_SET, LATE_UNFOUND, promisedDelay } from './promises.ts';
import { MOST_AHEAD_MS, MOST_SECONDS_DEAD } from './replicas.ts';
import { type Fate, isUnreadable, type Story, type StoryEvent } from './story.ts';
import { clock, HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { Switch } from './world.ts';

/** Notif's first poll reads the last hour, and no later one more at once. Kills can put that poll off. */
const FIRST_READ_MS = HOUR;
const MOST_KILLED_AT_FIRST_MS = 10 * MINUTE;

/** Returns a failure of the story in the account's terms; none if the event doesn't fail. */
export function plantedIn(event: StoryEvent, played: Played): PlantedFailure[] {
  const { story, service } = played;
  const failsAt = saysSoFrom(event);
  if (failsAt === null) return [];
  const visibleAt = Math.max(failsAt, event.listedAt, story.start);
  const createdAt = byService(event.createdAt, service);
  return [
    {
      jobId: `job-${event.index}`,
      what: `the ${event.fate} event ${event.index}, created at ${clock(event.createdAt)}, failed at ${clock(failsAt)},`,
      createdAt,
      countsFrom: event.hasTimes ? createdAt : createdAt - FIRST_READ_MS,
      visibleAt: Math.max(visibleAt, askedForFrom(event, played)),
      promise: promiseOf(event, { failsAt, visibleAt }, played),
      mayBeUnreadable: mayBeUnreadable(event, played),
      isUnreadable: isUnreadable(event),
    },
  ];
}

const byService = (time: number, { skewAt }: DifficultService): number => time + skewAt(time);

interface Failing {
  failsAt: number;
  visibleAt: number;
}

function promiseOf(event: StoryEvent, failing: Failing, played: Played): PlantedFailure['promise'] {
  const { world } = played;
  const isLate = event.fate === 'bounced' || failing.failsAt !== event.failsAt;
  if (mayBeMissed(event, failing, isLate, played)) return 'free';
  const isFoundByPass = isLate || BY_PASS.includes(event.fate) || world.has('no-jobs-in-list');
  return isFoundByPass || CLOCKS_SET.some((name) => world.has(name)) ? 'late' : 'fresh';
}

/** `isLate` says whether it failed only after the poll that saw its event first. */
function mayBeMissed(event: StoryEvent, { failsAt, visibleAt }: Failing, isLate: boolean, played: Played): boolean {
  const { world, story, service, ourAheadMs } = played;
  const createdAt = byService(event.createdAt, service);
  const age = byService(failsAt, service) - createdAt;
  // So close to the end, no poll may see it.
  if (visibleAt >= story.end - 45 * MINUTE) return true;
  if (createdAt < story.start - FIRST_READ_MS + (world.has('kills') ? MOST_KILLED_AT_FIRST_MS : 0)) return true;
  if (service.absentOnce.has(event.index) && mayBeUnseen(event, played)) return true;
  if (isBeyondReach(event, reachOf(service.planMs, story), age)) return true;
  if ((isLate || BY_PASS.includes(event.fate)) && !isReachedAlive(event, visibleAt, played)) return true;
  if (world.has('no-details-in-list') && !STATED.includes(event.fate)) return true;
  if (isLate && LATE_UNFOUND.some((name) => world.has(name))) return true;
  // Without times, nothing says how old it is.
  if ((isLate || event.fate === 'stuck') && !event.hasTimes) return true;
  const aheadMs = Math.max(ourAheadMs(failsAt), ourAheadMs(story.end));
  const ageToNotif = world.has('no-date') ? failsAt + aheadMs - createdAt : age;
  if (ageToNotif > story.horizonMs) return true;
  if (world.has('no-jobs-in-list') && wasShownTooLate(event, played)) return true;
  return isLate && service.moments.some((moment) => Math.abs(moment - createdAt) <= 2 * SECOND);
}

/** Returns when its steps begin to say that it failed. Without a reason, only some statuses do. */
function saysSoFrom({ fate, failsAt, before }: StoryEvent): number | null {
  return failsAt === null || before?.cause !== null || STATED.includes(fate) ? failsAt : before.until;
}

/** Where the list has no steps, an event that isn't asked for by its ID in time counts as unreadable. */
export function mayBeUnreadable(event: StoryEvent, { world }: Played): boolean {
  return event.poison !== null || isOdd(event) || world.has('no-jobs-in-list');
}

/** Without a Date header, Notif asks for the time up to its own now: it finds an event that is dated into the future once that has come. */
function askedForFrom({ createdAt }: StoryEvent, { world, service: { skewMs } }: Played): number {
  if (!world.has('no-date') || skewMs <= 0) return createdAt;
  return createdAt + skewMs + (world.has('replica-clocks') ? MOST_AHEAD_MS : 0);
}

/** Whether an answer had the steps of an event after it failed. */
export function wasShownFailed({ index, failsAt }: StoryEvent, { stepsShownAt }: DifficultService): boolean {
  return failsAt !== null && (stepsShownAt.get(index) ?? []).some((at) => at >= failsAt);
}

/** Whether the list first had an event beyond the horizon: its steps, which only its ID gives, aren't asked for then. */
function wasShownTooLate(
  { index, createdAt }: StoryEvent,
  { world, story: { horizonMs }, service: { shownAt, skewMs }, deaths }: Played,
): boolean {
  const horizonAt = createdAt + horizonMs + (world.has('no-date') ? Math.min(0, skewMs) : 0);
  // A process that ends may not have recorded what it was shown just before.
  const isLost = (at: number) => deaths.some((death) => death >= at && death <= at + MINUTE);
  return (shownAt.get(index) ?? []).every((at) => at >= horizonAt || isLost(at));
}

/** These fates show in a step's status, whatever its details say. */
const STATED: readonly Fate[] = ['refused', 'partly-failed', 'late-step', 'stuck'];

/** A pass over the past finds these fates: the poll that sees the event first sees no failure, like each poll of a list without steps. */
const BY_PASS: readonly Fate[] = ['late-step', 'stuck'];

/** A process that ends may lose the only answer that had an event, and the next answer leaves it out. */
const MAY_LOSE_ANSWERS: readonly Switch[] = ['kills', 'not-running'];

/** Whether the one answer that left out an event may have been the only one that could show it in time. */
function mayBeUnseen(event: StoryEvent, played: Played): boolean {
  const { world, service } = played;
  if (MAY_LOSE_ANSWERS.some((name) => world.has(name))) return true;
  if (!world.has('service-away')) return false;
  return event.fate === 'bounced' ? !wasShownFailed(event, service) : wasShownTooLate(event, played);
}

/** Polls that are rare after the story come too late for a plan that keeps little. */
function reachOf(planMs: number | null, { horizonMs }: Story): number | null {
  return planMs === null || horizonMs > 30 * MINUTE ? planMs : planMs - TAIL_POLL_MS;
}

/** Returns whether a failure comes at an age that the plan doesn't keep, so that it can't be found. */
function isBeyondReach({ fate }: StoryEvent, reachMs: number | null, age: number): boolean {
  if (reachMs === null) return false;
  return fate === 'bounced' ? age * 6.5 > reachMs : age * 2 > reachMs;
}

/**
 * Whether a process lived through a poll at which a late failure must have been looked for, while the plan and the passes still reach its
 * event. A frozen process keeps its polls from the other one.
 */
function isReachedAlive({ createdAt }: StoryEvent, visibleAt: number, played: Played): boolean {
  const { polls, absences, deaths, service, story, frozen, world, ourAheadMs } = played;
  const notAlive = [...absences, ...service.absences, ...(frozen ? [frozen] : [])];
  // A pass doesn't read again the slice in which the plan ends: the time since the poll before, an hour at most.
  const sliceMs = (at: number) => Math.min(HOUR, at - Math.max(at - HOUR, ...polls.filter((other) => other < at)));
  const reachMs = (at: number) =>
    Math.min(service.planMs === null ? Number.POSITIVE_INFINITY : service.planMs - sliceMs(at), 2 * story.horizonMs);
  // A step that is stuck also shows later by a clock that was set back.
  const knownAheadMs = world.has('no-date') ? ourAheadMs : service.skewAt;
  const agedMs = (at: number) =>
    Math.max(0, ...[service.skewAt, knownAheadMs].map((aheadMs) => aheadMs(at) - service.skewAt(createdAt)));
  const dueBy = visibleAt + promisedDelay(visibleAt - createdAt);
  return polls.some(
    (at) =>
      at >= dueBy &&
      at + agedMs(at) < createdAt + reachMs(at) - MINUTE &&
      !notAlive.some(({ from, to }) => at >= from - MINUTE && at <= to) &&
      !deaths.some((death) => death >= at - MOST_SECONDS_DEAD * SECOND && death <= at + MINUTE),
  );
}

const isOdd = ({ oddUntil, oddFrom }: StoryEvent): boolean => oddUntil > 0 || Number.isFinite(oddFrom);
