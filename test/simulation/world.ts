import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../sandbox/service/random.ts';

/**
 * Independent difficulties of a world: how the Notification Service, Slack or Notif's machine behaves where the contract leaves it open, or
 * at bad times. Any of them can be combined.
 */
const SWITCHES = {
  // The event list
  'exclusive-bounds': 'the list leaves out what was created exactly at `after` or `before`',
  ascending: 'the list is in ascending order of creation',
  'reordered-ties': 'events created in the same millisecond come in another order at each request',
  'no-jobs-in-list': 'the list leaves out `jobs`, which only a single event has',
  'late-listing': 'an event is listed up to 55 s after its creation',
  'absent-once': 'an event is missing from one answer of the list that should have it',
  'not-found-once': 'an event that exists is answered with 404 the first time it is asked for',
  'endless-list': 'the list says `hasMore` for ever, and repeats its last page',
  // Events
  'odd-at-first': 'an event has an optional field of a wrong type until some minutes after its creation',
  'odd-when-failed': 'an event has an optional field of a wrong type from its failure on',
  'poisonous-ids': 'events have ids of 3 kB, empty ones, ".", control characters, half a surrogate pair',
  'no-times': 'some events have no time of creation or change, nor have their details',
  'unreadable-events': "some events can't be read, and the database refuses others",
  'details-later': 'a failed step has no details, or those of another cause, until some minutes after its failure',
  'no-details-in-list': 'the list leaves out what a step says, which only a single event has',
  'growing-incident': 'an incident fails more than ten times as often some minutes after it began',
  // Answers
  'short-plan': 'the plan keeps less than the horizon, and older times are refused with 402',
  'refused-moment': 'each query about one moment is refused with 422',
  'failing-moment': 'each query about one moment is answered with 500, for a while or for good',
  'rate-limit': 'few requests are allowed in five seconds, and 429 says when to come back',
  'rate-limit-bare': 'few requests are allowed in five seconds, and 429 says nothing else',
  'rate-limit-far': 'a request is answered with 429 and a Retry-After of two hours or a far date',
  'service-away': 'for some minutes the service refuses connections, times out, answers 503 or refuses the key',
  'no-date': 'answers carry no Date',
  'clock-ahead': "the service's clock is up to 45 minutes ahead of ours",
  'clock-behind': "the service's clock is up to 45 minutes behind ours",
  'service-clock-steps': "the service's clock is set by up to 20 minutes",
  // Slack
  'edits-refused': 'Slack refuses edits of messages that are older than some minutes: edit_window_closed',
  'edit-blocks-refused': 'Slack refuses the blocks of edits',
  'blocks-refused': 'Slack refuses the blocks of messages',
  'no-history': 'Slack refuses to show the history of channels: missing_scope',
  'answers-lost': 'some posts are carried out and their answers are lost',
  'posts-lost': 'some posts are lost, and nobody says so',
  'posts-late': 'some posts whose answers are lost are carried out up to 2.5 s later',
  'slack-unsure': 'for some minutes Slack answers 500, and carries some posts out at once, later or not at all',
  'posts-limited': 'Slack answers some posts with 429',
  'edits-limited': 'Slack answers some edits with 429',
  'slack-away': 'for some minutes Slack refuses connections',
  'messages-deleted': 'some messages are deleted some minutes after they were posted',
  // Notif
  'not-running': 'Notif is stopped for some minutes to an hour',
  kills: 'the process is killed between two statements of the store, and starts again',
  'two-replicas': 'two replicas share the jobs',
  'replica-clocks': "the replicas' clocks differ from the database's by up to 45 s either way",
  'clock-steps': 'our clock is set by up to an hour and a half',
  freezes: 'a process freezes for some minutes in the middle of what it does',
  // People
  'watch-settings': 'watches have a minimum, a rate, a pace, quiet hours, all-clears, and one covers what another does',
  'watches-edited': 'somebody edits watches',
  people: 'somebody acknowledges, resolves, reopens, mutes and unmutes',
} as const;

export type Switch = keyof typeof SWITCHES;

export const ALL_SWITCHES = Object.keys(SWITCHES).filter(isSwitch);

export function isSwitch(name: string): name is Switch {
  return Object.hasOwn(SWITCHES, name);
}

/** A brief world has fewer polls and events, and a shorter horizon. */
export type Size = 'full' | 'brief';

/** A seed, what's switched on, and a size: all that tells two combinations apart. */
export interface World {
  seed: number;
  size: Size;
  has(name: Switch): boolean;
  switches: readonly Switch[];
  /**
   * Returns the randomness for one purpose. It depends neither on other switches nor on earlier draws, so a world stays the same except for
   * a switch that's removed.
   */
  random(purpose: string): Random;
}

export function createWorld(seed: number, switches: readonly Switch[], size: Size = 'full'): World {
  const on = new Set(switches);
  return {
    seed,
    size,
    switches: ALL_SWITCHES.filter((name) => on.has(name)),
    has: (name) => on.has(name),
    random: (purpose) => createRandom(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE()),
  };
}

/** How many switches are on at once. Mostly few, so that a failure is easy to understand; some worlds have many. */
const HOW_MANY = [0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 12] as const;

/** Returns the switches that a seed draws from the given ones. */
export function drawSwitches(seed: number, among: readonly Switch[] = ALL_SWITCHES): Switch[] {
  const random = createRandom(seed * 7919 + 17);
  const left = [...among];
  const drawn: Switch[] = [];
  for (let wanted = random.pick(HOW_MANY); wanted > 0 && left.length > 0; wanted -= 1) {
    drawn.push(...left.splice(random.between(0, left.length - 1), 1));
  }
  return drawn;
}
