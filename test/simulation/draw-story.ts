import type { Random } from '../../sandbox/service/random.ts';
import { drawComingBack, drawLively, drawMistaken, drawUnreadable, mistakeAt, plainEvent } from './draw-incidents.ts';
import { drawActs, drawWatches } from './draw-people.ts';
import type { Stretch } from './facts.ts';
import {
  CAUSES,
  type Excerpt,
  FATES,
  type Fate,
  POISONS,
  type Poison,
  START,
  type Story,
  type StoryEvent,
  type Workflow,
} from './story.ts';
import { HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

const MAIL: Workflow = { identifier: 'order-shipped', channel: 'email', provider: 'sendgrid' };
const IN_APP: Workflow = { identifier: 'comment-added', channel: 'in_app', provider: 'novu' };
const WORKFLOWS: readonly [Workflow, ...Workflow[]] = [
  MAIL,
  { identifier: 'login-code', channel: 'sms', provider: 'twilio' },
  { identifier: 'new-message', channel: 'push', provider: 'fcm' },
  IN_APP,
  { identifier: 'invoice', channel: 'email', provider: 'ses' },
];

/** IDs that are the same for each event. */
const SAME_ID: readonly Poison[] = ['dot-id', 'dots-id'];

/** The list has events from this long before Notif's first start on: less than any horizon. */
const BEFORE_START = 50 * MINUTE;
const BRIEF_BEFORE_START = 25 * MINUTE;

interface Pace {
  pollMs: number;
  /** The fewest and the most polls until nothing new is created. */
  polls: readonly [number, number];
  horizonHours: number;
}

const PACES: readonly [Pace, ...Pace[]] = [
  { pollMs: MINUTE, polls: [10, 25], horizonHours: 1 },
  { pollMs: 2 * MINUTE, polls: [8, 22], horizonHours: 1 },
  { pollMs: 2 * MINUTE, polls: [8, 22], horizonHours: 2 },
  { pollMs: 5 * MINUTE, polls: [8, 20], horizonHours: 2 },
  { pollMs: 10 * MINUTE, polls: [6, 16], horizonHours: 3 },
];

const BRIEF_PACES: readonly [Pace, ...Pace[]] = [
  { pollMs: 2 * MINUTE, polls: [5, 10], horizonHours: 0.5 },
  { pollMs: 5 * MINUTE, polls: [3, 7], horizonHours: 0.5 },
  { pollMs: 10 * MINUTE, polls: [3, 4], horizonHours: 1 },
];

/** Draws a small story: minutes to hours with up to a few hundred events, each with a known outcome. */
export function drawStory(world: World, excerpt: Excerpt | null = null): Story {
  const random = world.random('story');
  const isBrief = world.size === 'brief';
  const { pollMs, polls, horizonHours } = random.pick(isBrief ? BRIEF_PACES : PACES);
  const horizonMs = horizonHours * HOUR;
  const calmFrom = START + random.between(...polls) * pollMs;
  const range = { from: START - (isBrief ? BRIEF_BEFORE_START : BEFORE_START), to: calmFrom };
  const acts = drawActs(world, range, pollMs);
  const drawn = drawEvents(world, random, range, { pollMs, horizonMs });
  const events = excerpt === null ? drawn : drawn.filter(({ index }) => index >= excerpt.from && index <= excerpt.to);
  const lastAt = Math.max(calmFrom, ...events.map(({ failsAt }) => failsAt ?? 0));
  const longerMs = random.chance(0.2) ? horizonMs : 0;
  const marginMs = (isBrief && !isAway(world) ? 30 : 60) * MINUTE;
  return {
    start: START,
    calmFrom,
    pollMs,
    horizonMs,
    events,
    acts,
    renamedAt: world.has('renamed-workflows') ? START + Math.floor((calmFrom - START) / 2) : null,
    end: Math.max(lastAt + horizonMs / 2, calmFrom + longerMs) + marginMs,
    tailFromMs: tailMinutes(world) * MINUTE,
    watches: drawWatches(world, range),
  };
}

const isAway = (world: World) => world.has('not-running') || world.has('service-away');

function tailMinutes(world: World): number {
  // Notif or the service may come back late: polls stay frequent until then.
  if (isAway(world)) return 36;
  return world.size === 'brief' ? 6 : 20;
}

type Times = Pick<Story, 'pollMs' | 'horizonMs'>;

function drawEvents(world: World, random: Random, range: Stretch, times: Times): StoryEvent[] {
  const isBrief = world.size === 'brief';
  const quiet = random.between(5, isBrief ? 20 : 40);
  const burst = random.chance(0.2) ? random.between(60, isBrief ? 75 : 140) : random.between(0, isBrief ? 5 : 15);
  const created = Array.from({ length: quiet }, () => random.between(range.from, range.to));
  const burstAt = random.between(range.from, range.to);
  for (let number = 0; number < burst; number += 1)
    created.push(burstAt + Math.floor(number / 3) * random.between(0, 2_000));
  created.sort((a, b) => a - b);
  const drawn = created.map((at, index) => drawEvent(world, index, Math.min(at, range.to), times.horizonMs));
  const events = [...drawn, ...drawEdges(world, drawn.length, range, times)];
  events.push(...drawPoisons(world, events.length, range));
  if (LIVELY.some((name) => world.has(name))) events.push(...drawLively(world, events.length, range, times.pollMs));
  events.push(...drawComingBack(world, events.length));
  if (world.has('unreadable-for-long')) events.push(...drawUnreadable(events.length));
  const mutedAt = mistakeAt(world, times.pollMs);
  if (mutedAt !== null) events.push(...drawMistaken(events.length, mutedAt));
  return [...events, drawLastStep(world, events.length, range, times.horizonMs)];
}

/** The difficulties that need an incident with much going on. */
const LIVELY = ['growing-incident', 'watch-settings', 'watches-edited', 'people', 'mentions', 'labels-later'] as const;

/** Draws an event from its own randomness, so that it stays the same in every excerpt. */
function drawEvent(world: World, index: number, createdAt: number, horizonMs: number): StoryEvent {
  const random = world.random(`event ${index}`);
  const fate = drawFate(random);
  const workflow = random.pick(WORKFLOWS.filter(isFitFor(fate)) as [Workflow, ...Workflow[]]);
  const failsAt = failureTime(fate, createdAt, horizonMs, random);
  const cause = random.pick(CAUSES);
  return {
    index,
    createdAt,
    workflow,
    fate,
    failsAt,
    cause,
    poison: null,
    ...drawOddities(world, index, createdAt, failsAt),
  };
}

function isFitFor(fate: Fate): (workflow: Workflow) => boolean {
  return ({ channel }) => fate !== 'bounced' || channel !== 'in_app';
}

function drawFate(random: Random): Fate {
  let left = random.next();
  const drawn = FATES.find(([, share]) => {
    left -= share;
    return left < 0;
  });
  return drawn?.[0] ?? 'delivered';
}

function failureTime(fate: Fate, createdAt: number, horizonMs: number, random: Random): number | null {
  switch (fate) {
    case 'delivered':
    case 'warned':
      return null;
    case 'bounced':
    case 'late-step':
      return createdAt + Math.round(logBetween(random, 10 * SECOND, 0.8 * horizonMs));
    case 'stuck':
      return createdAt + STUCK_AFTER;
    default:
      return createdAt + random.between(1, 8) * SECOND;
  }
}

/** The rule of src/judging/waits.ts: a step is stuck if it hasn't shown any activity for this long. */
const STUCK_AFTER = 15 * MINUTE;

/** Returns a number between both, as often in each order of magnitude. */
const logBetween = (random: Random, low: number, high: number): number => low * (high / low) ** random.next();

type Oddities = Pick<StoryEvent, 'before' | 'listedAt' | 'oddUntil' | 'oddFrom' | 'hasTimes' | 'labelsFrom'>;

function drawOddities(world: World, index: number, createdAt: number, failsAt: number | null): Oddities {
  const random = world.random(`oddities ${index}`);
  const delay = random.between(0, 55) * SECOND;
  const oddFor = random.between(0, 10) * MINUTE;
  const isLateLabeled = world.random(`labels ${index}`).chance(0.5);
  const [isOdd, isOddLater, isTimeless] = [random.chance(0.4), random.chance(0.5), random.chance(0.3)];
  const before = { cause: random.pick([null, ...CAUSES]), until: (failsAt ?? 0) + random.between(1, 20) * MINUTE };
  return {
    before: world.has('details-later') && failsAt !== null && random.chance(0.5) ? before : null,
    listedAt: world.has('late-listing') ? createdAt + delay : createdAt,
    oddUntil: world.has('odd-at-first') && isOdd ? createdAt + oddFor : 0,
    oddFrom:
      world.has('odd-when-failed') && isOddLater ? (failsAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
    hasTimes: !(world.has('no-times') && isTimeless),
    labelsFrom: world.has('labels-later') && isLateLabeled ? (failsAt ?? createdAt) + oddFor + MINUTE : 0,
  };
}

/** Notif's own bounds are a few response times after a poll (service-client.ts, `ANSWER_MS`). An event created there is exactly on one. */
const ANSWERS_MS = [0, 0, 0, 120, 240] as const;

/** With exclusive bounds, this many events at most are created on whole minutes, where polls, ranges and gaps end. */
const MOST_ON_BOUNDS = 60;

/** Draws what is easily missed: bounces on a bound of a polled range or at a rare age, and pairs of which a poll sees the younger first. */
function drawEdges(world: World, first: number, range: Stretch, { pollMs, horizonMs }: Times): StoryEvent[] {
  const random = world.random('edges');
  const polls = Math.floor((range.to - START) / pollMs);
  const events: StoryEvent[] = [];
  const add = (event: Pick<StoryEvent, 'createdAt' | 'workflow' | 'fate' | 'failsAt'>, listedAt = event.createdAt) =>
    events.push(plainEvent(first + events.length, { ...event, cause: random.pick(CAUSES), listedAt }));
  const minutes = polls * (pollMs / MINUTE);

  // Bounces of events that were created on a bound, or that are as old as few are.
  for (let left = random.between(2, 4); left > 0; left -= 1) {
    const createdAt = START + random.between(0, minutes - 3) * MINUTE + random.pick(ANSWERS_MS);
    const isOld = left % 2 === 1;
    const age = isOld ? (random.between(55, 80) / 100) * horizonMs : logBetween(random, 4 * MINUTE, 0.8 * horizonMs);
    add({ createdAt, workflow: MAIL, fate: 'bounced', failsAt: createdAt + Math.round(age) });
  }

  // Events on whole minutes.
  const lastOnBounds = world.has('exclusive-bounds') ? minutes : 0;
  for (let minute = 0; minute < lastOnBounds; minute += Math.ceil(minutes / MOST_ON_BOUNDS)) {
    const createdAt = START + minute * MINUTE;
    const isLate = minute % 3 === 0;
    const failsAt = createdAt + (isLate ? Math.round(logBetween(random, 4 * MINUTE, 0.8 * horizonMs)) : SECOND);
    add({ createdAt, workflow: isLate ? MAIL : IN_APP, fate: isLate ? 'bounced' : 'refused', failsAt });
  }

  // Pairs of which a poll sees the younger first.
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const poll = START + random.between(1, polls - 1) * pollMs;
    const createdAt = poll - random.between(10, 40) * SECOND;
    const listedAt = world.has('late-listing') ? poll + random.between(1, 10) * SECOND : createdAt;
    add({ createdAt, workflow: IN_APP, fate: 'refused', failsAt: createdAt + SECOND }, listedAt);
    add({ createdAt: createdAt + 5 * SECOND, workflow: IN_APP, fate: 'delivered', failsAt: null });
  }
  return events;
}

function drawPoisons(world: World, first: number, range: Stretch): StoryEvent[] {
  const random = world.random('poisons');
  const drawn = new Set<Poison>();
  const unread = Array.from({ length: world.has('unreadable-events') ? random.between(1, 3) : 0 }, () => null);
  const odd = Array.from({ length: world.has('poisonous-ids') ? random.between(1, 4) : 0 }, () => random.pick(POISONS));
  return [...odd, ...unread].map((picked, number) => {
    const createdAt = random.between(range.from + 20 * MINUTE, range.to);
    const workflow = picked === null ? MAIL : { ...MAIL, identifier: `poisoned-${number}` };
    // A second event with such an ID would be the same event, as the contract has it.
    const isRepeated = picked !== null && drawn.has(picked) && SAME_ID.includes(picked);
    const another = isRepeated ? 'slash-id' : picked;
    const poison = another ?? random.pick(['unparsed', 'unstored'] as const);
    drawn.add(poison);
    const isLate = picked !== null && random.chance(0.3);
    const failsAt = createdAt + (isLate ? 10 * MINUTE : 3 * SECOND);
    return plainEvent(first + number, { createdAt, workflow, poison, fate: isLate ? 'late-step' : 'refused', failsAt });
  });
}

/** Draws a step that fails shortly before the horizon, and if possible while polls are frequent. */
function drawLastStep(world: World, index: number, { from, to }: Stretch, horizonMs: number): StoryEvent {
  const random = world.random('last step');
  const createdAt = random.between(from, Math.max(from, to - horizonMs));
  const failsAt = createdAt + Math.round((random.between(92, 96) / 100) * horizonMs);
  return plainEvent(index, { createdAt, workflow: IN_APP, fate: 'late-step', failsAt });
}
