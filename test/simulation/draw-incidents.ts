import type { Stretch } from './facts.ts';
import { CAUSES, START, type StoryEvent } from './story.ts';
import { MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

// Incidents that people act on at a certain time of theirs: each has a provider of its own.

/** When the incident `lively` begins, fails far more often, and fails in a critical workflow. */
export function livelyTimes(
  world: World,
  { to }: Stretch,
  pollMs: number,
): { beginsAt: number; growsAt: number; criticalFrom: number } {
  const random = world.random('lively');
  const beginsAt = START + random.between(0, Math.max(0, to - START - 5 * pollMs));
  const isCriticalAtOnce = random.chance(0.5);
  const [growsAt, later] = [beginsAt + random.between(1, 3) * pollMs, random.between(beginsAt, to)];
  return { beginsAt, growsAt, criticalFrom: isCriticalAtOnce ? beginsAt : later };
}

/** Draws an incident that fails at each poll, from some time on in a critical workflow, and once far more often. Most acts are about it. */
export function drawLively(world: World, first: number, range: Stretch, pollMs: number): StoryEvent[] {
  const { beginsAt, growsAt, criticalFrom } = livelyTimes(world, range, pollMs);
  const cause = world.random('lively cause').pick(CAUSES);
  const times = Array.from({ length: 24 }, (_, number) => beginsAt + Math.round(number * 0.8 * pollMs));
  times.push(...Array.from({ length: 15 }, (_, number) => growsAt + number * SECOND));
  return times
    .filter((at) => at <= range.to)
    .map((createdAt, number) => {
      const identifier = createdAt >= criticalFrom ? 'invoice' : 'login-code';
      const workflow = { identifier, channel: 'sms', provider: 'lively' } as const;
      return plainEvent(first + number, { createdAt, workflow, fate: 'refused', failsAt: createdAt + SECOND, cause });
    });
}

/** When somebody mutes a watch, and edits it by mistake then; null if nobody does. */
export function mistakeAt(world: World, pollMs: number): number | null {
  const random = world.random('mistake');
  const at = START + random.between(1.2 * pollMs, 2.2 * pollMs);
  return world.has('watches-edited') && random.chance(0.7) ? at : null;
}

/** Draws what fails only between the two. */
export function drawMistaken(first: number, mutedAt: number): StoryEvent[] {
  const workflow = { identifier: 'login-code', channel: 'sms', provider: 'mistaken' } as const;
  return Array.from({ length: 6 }, (_, number) => {
    const createdAt = mutedAt + (number + 1) * SECOND;
    const failsAt = createdAt + SECOND;
    return plainEvent(first + number, { createdAt, workflow, fate: 'refused', failsAt, cause: CAUSES[3] });
  });
}

/** Draws what fails when Notif starts, is delivered, and fails again: while it recovers, after its end, or when its message was deleted. */
export function drawComingBack(world: World, first: number): StoryEvent[] {
  const random = world.random('coming back');
  const shared = {
    workflow: { identifier: 'login-code', channel: 'sms', provider: 'coming back' },
    cause: CAUSES[3],
  } as const;
  const again = [8, 15, 19, 23].filter(() => random.chance(0.5)).map((minutes) => minutes + random.between(0, 3));
  const failing = [0.1, ...again].map(
    (minutes) => ({ createdAt: START, fate: 'late-step', failsAt: START + minutes * MINUTE }) as const,
  );
  const sentAt = Array.from({ length: 15 }, (_, number) => START + MINUTE + number * SECOND);
  const sent = sentAt.map((createdAt) => ({ createdAt, fate: 'delivered', failsAt: null }) as const);
  return [...failing, ...sent].map((event, number) => plainEvent(first + number, { ...event, ...shared }));
}

/** Draws a quarter of an hour in which each minute has an event that can't be read, and more than ten that are delivered. */
export function drawUnreadable(first: number): StoryEvent[] {
  const workflow = { identifier: 'login-code', channel: 'sms', provider: 'coming back' } as const;
  return Array.from({ length: 15 * 12 }, (_, number) => {
    const createdAt = START + number * 5 * SECOND;
    const unread = { fate: 'refused', failsAt: createdAt + SECOND, poison: 'unparsed' } as const;
    const event = number % 12 === 0 ? unread : ({ fate: 'delivered', failsAt: null } as const);
    return plainEvent(first + number, { createdAt, workflow, ...event });
  });
}

/** Returns an event with nothing odd about it but what's given. */
export function plainEvent(
  index: number,
  event: Pick<StoryEvent, 'createdAt' | 'workflow' | 'fate' | 'failsAt'> & Partial<StoryEvent>,
): StoryEvent {
  return {
    index,
    listedAt: event.createdAt,
    cause: CAUSES[0],
    before: null,
    poison: null,
    hasTimes: true,
    labelsFrom: 0,
    oddUntil: 0,
    oddFrom: Number.POSITIVE_INFINITY,
    ...event,
  };
}
