import { MOST_REQUESTS } from './difficult-service.ts';
import type { Promises } from './facts.ts';
import { type Played, TAIL_POLL_MS } from './play.ts';
import { replicasIn } from './replicas.ts';
import type { Story, StoryEvent } from './story.ts';
import { MINUTE, SECOND } from './virtual-time.ts';
import type { Switch } from './world.ts';

/** Where the list has no steps, nothing late is promised. */
export const LATE_UNFOUND: readonly Switch[] = ['no-jobs-in-list', 'no-details-in-list'];

/** Switches with which a part of the list, or the whole service, can keep new events from being read in time. */
// biome-ignore format: rows of names read better than twenty lines
const SLOW_SERVICE: readonly Switch[] = [
  'refused-moment', 'failing-moment', 'rate-limit', 'rate-limit-bare', 'rate-limit-far', 'endless-list', 'short-plan',
  'no-jobs-in-list', 'no-details-in-list', 'no-date', 'no-times', 'absent-once', 'not-found-once', 'reordered-ties',
  'odd-at-first', 'odd-when-failed', 'kills', 'freezes', 'replica-clocks', 'clock-steps', 'service-clock-steps',
];

/** A run of announcing that ends with its process is made up for in the next poll interval. */
const MAY_LOSE_RUNS: readonly Switch[] = ['kills', 'replica-clocks', 'freezes'];

/** Of one replica in one life. */
const EDITS_A_MINUTE = 30;

export const CLOCKS_SET: readonly Switch[] = ['clock-steps', 'service-clock-steps'];

/** Requests a minute, at most: usually, and while an endless list is halved. */
const USUAL_REQUESTS = 200;
const CATCHING_UP = 360;

/** The service's `limit` of a page. */
const EVENTS_ON_PAGE = 50;

/** The first page of a list without an end, and three that repeat it. */
const PAGES_TO_SEE_NO_END = 4;

/** Returns what docs/guarantees.md promises in a world; null for a delay that it doesn't promise there. */
export function promisesOf({ world, story, service, deaths }: Played): Promises {
  const { pollMs, horizonMs, events, end, start } = story;
  const pollTimes = (end - start) / pollMs;
  const isSlow = SLOW_SERVICE.some((name) => world.has(name));
  const isEndless = world.has('endless-list');
  // A page that is refused with 429 is asked for again.
  const tries = world.has('rate-limit') || world.has('rate-limit-bare') ? 2 : 1;
  const fullPages = Math.ceil(events.length / EVENTS_ON_PAGE);
  const pages = fullPages + (isEndless ? PAGES_TO_SEE_NO_END : 1);
  const pagesTried = fullPages + (isEndless ? PAGES_TO_SEE_NO_END * tries : 1);
  const halving = isEndless ? requestsForHalving(story) * tries : 0;
  // Each failing part is tried three times and halved down to a second.
  const troubles = world.has('failing-moment') || world.has('refused-moment') ? 12 : 1;
  // What was skipped or comes again is read at once.
  const again = CLOCKS_SET.some((name) => world.has(name)) ? 2 : 1;
  // After a stop, the present and a pass each ask for an event by its ID.
  const steps = world.has('no-jobs-in-list') || world.has('no-details-in-list') ? 2 * events.length : 0;
  const runs = MAY_LOSE_RUNS.some((name) => world.has(name)) ? 3 : 1;
  // A poll reads the present, passes and gaps, of which each can show a page.
  const forPolls = pollTimes * pages * 12 * troubles * again;
  const forEvents = events.length * 40 * again;
  const usualInAMinute = (isEndless ? CATCHING_UP : USUAL_REQUESTS) * again * again;
  const beyondPlanInAMinute = service.planMs === null ? 0 : 100;
  return {
    pollMs,
    horizonMs,
    longestStopMs: Math.max(15 * MINUTE, 2 * pollMs + MINUTE) + MINUTE,
    freshWithinMs: isSlow ? null : 2 * pollMs + 90 * SECOND,
    lateWithinMs: isSlow || LATE_UNFOUND.some((name) => world.has(name)) ? null : lateWithin(story),
    toldWithinMs: (from) => (from < story.calmFrom ? pollMs : Math.max(pollMs, TAIL_POLL_MS)) * (runs + 1) + 2 * MINUTE,
    mostEdits: EDITS_A_MINUTE * replicasIn(world) * (deaths.length + 1),
    mostRequests: Math.min(MOST_REQUESTS, Math.round(forPolls + forEvents + halving)),
    mostRequestsInAMinute: usualInAMinute + 40 * pagesTried * troubles + steps + beyondPlanInAMinute,
  };
}

/**
 * The requests for halving the windows of a list without an end down to each second that has events: by a poll or for a gap, and by a pass if
 * one of its events can bounce. Each takes four pages for the half with the events, where three repeat the first, and three for the other.
 */
function requestsForHalving({ events, horizonMs }: Story): number {
  const secondOf = ({ createdAt }: StoryEvent) => Math.floor(createdAt / SECOND);
  const read = new Set(events.map(secondOf)).size;
  const swept = new Set(events.filter(({ workflow }) => workflow.channel !== 'in_app').map(secondOf)).size;
  return (read + swept) * Math.ceil(Math.log2(horizonMs / SECOND)) * 7;
}

/** docs/guarantees.md: a late failure's delay, by its event's age then. Milliseconds. */
export const promisedDelay = (ageMs: number): number => Math.max(5 * MINUTE, ageMs / 3);

/** Returns the promised delay, with the time between two readings of the past. */
function lateWithin({ pollMs, calmFrom, tailFromMs }: Story): Promises['lateWithinMs'] {
  return (age, visibleAt) => {
    const promised = promisedDelay(age);
    const isInTail = visibleAt + promised + pollMs > calmFrom + tailFromMs;
    return promised + Math.max(pollMs, isInTail ? TAIL_POLL_MS : 0) + 90 * SECOND;
  };
}
