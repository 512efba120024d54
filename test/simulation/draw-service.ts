import type { Random } from '../../sandbox/service/random.ts';
import type { Story } from './story.ts';
import { HOUR, MINUTE, SECOND } from './virtual-time.ts';
import type { World } from './world.ts';

/** What a world's service is like. */
export interface ServiceNature {
  skewMs: number;
  /** Its clock is set. */
  clockStep: { at: number; ms: number };
  planMs: number | null;
  requestsAWindow: number;
  /** One request then gets a 429 whose Retry-After is hours or months away. */
  farRetryAt: number;
  farRetryAfter: string;
  /** A list that includes this moment is refused (422). */
  refusedMoment: number | null;
  /** A list that includes this one fails (500) until a time. */
  failingMoment: { moment: number; until: number } | null;
  absences: readonly Absence[];
}

export interface Absence {
  from: number;
  to: number;
  how: 'refused-connection' | 'hangs' | 503 | 500 | 401;
}

export function drawService(world: World, story: Story): ServiceNature {
  const { start, calmFrom, horizonMs, events } = story;
  const skews = world.random('service clock');
  const skew = skews.between(30, skews.pick([590, 1_300, 2_700])) * SECOND;
  const clockStep = { at: skews.between(start, calmFrom), ms: skews.between(-20, 20) * MINUTE };
  const limits = world.random('rate limit');
  const moments = world.random('moments');
  const someEvent = (random: Random) => events[random.between(0, Math.max(0, events.length - 1))]?.createdAt ?? start;
  const skewMs = world.has('clock-ahead') ? skew : world.has('clock-behind') ? -skew : 0;
  // In the second of some event.
  const refused = Math.floor((someEvent(moments) + skewMs) / SECOND) * SECOND + 300;
  const failing = Math.floor((someEvent(moments) + skewMs) / SECOND) * SECOND + 700;
  const failsUntil = moments.chance(0.5) ? Number.POSITIVE_INFINITY : start + moments.between(5, 90) * MINUTE;
  const plan = world.random('plan');
  return {
    skewMs,
    clockStep: world.has('service-clock-steps') ? clockStep : { at: 0, ms: 0 },
    planMs: world.has('short-plan') ? Math.round(horizonMs * (0.3 + 0.5 * plan.next())) : null,
    requestsAWindow: limits.between(2, 6),
    farRetryAt: start + limits.between(1, Math.max(2, Math.floor((calmFrom - start) / MINUTE) - 5)) * MINUTE,
    farRetryAfter: limits.chance(0.5) ? '7200' : new Date(start + 400 * 24 * HOUR).toUTCString(),
    refusedMoment: world.has('refused-moment') ? refused : null,
    failingMoment: world.has('failing-moment') ? { moment: failing, until: failsUntil } : null,
    absences: world.has('service-away') ? drawAbsences(world, story) : [],
  };
}

const KINDS_OF_ABSENCE: readonly [Absence['how'], ...Absence['how'][]] = ['refused-connection', 'hangs', 503, 500, 401];

function drawAbsences(world: World, { start, calmFrom }: Story): Absence[] {
  const random = world.random('service away');
  return Array.from({ length: random.between(1, 3) }, () => {
    const from = random.between(start, calmFrom);
    const to = from + random.between(1, world.size === 'brief' ? 15 : 40) * MINUTE;
    return { from, to, how: random.pick(KINDS_OF_ABSENCE) };
  });
}
