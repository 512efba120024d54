import { z } from 'zod';
import { eventsAlong, type GeneratedEvents, steadyTimeline, type Timeline } from '../generated-events.ts';

/** A service with several environments, which are counted from 1: `key-1` is the API key of the first. Times in milliseconds. */
export const Tenancy = z.object({
  environments: z.number(),
  /** Since when there are events. */
  firstAt: z.number(),
  eventsAMinute: z.number(),
  /** One event in so many has a step that failed. */
  failingOneIn: z.number(),
});
export type Tenancy = z.infer<typeof Tenancy>;

/** From `at` on the first `environments` have so many events a minute instead. */
export const Surge = z.object({ at: z.number(), environments: z.number(), eventsAMinute: z.number() });
export type Surge = z.infer<typeof Surge>;

const MINUTE_MS = 60_000;

export interface TenantEvents extends GeneratedEvents {
  /** How many events were created up to a time, and how many of them failed. */
  countsUntil(time: number): { readonly events: number; readonly failures: number };
}

/** The events of an environment, at moments of its own. */
export function eventsOfTenant(tenant: number, tenancy: Tenancy, surge: Surge | null): TenantEvents {
  const { environments, eventsAMinute, failingOneIn } = tenancy;
  const everyMs = MINUTE_MS / eventsAMinute;
  const usual = steadyTimeline({ firstAt: tenancy.firstAt + ((tenant - 1) / environments) * everyMs, everyMs });
  const timeline = surge === null || tenant > surge.environments ? usual : surging(usual, surge);
  return {
    ...eventsAlong(timeline, failingOneIn),
    countsUntil(time) {
      const events = Math.max(0, Math.floor(timeline.placeOf(time)) + 1);
      return { events, failures: Math.ceil(events / failingOneIn) };
    },
  };
}

function surging(usual: Timeline, { at, eventsAMinute }: Surge): Timeline {
  const everyMs = MINUTE_MS / eventsAMinute;
  const before = Math.max(0, Math.ceil(usual.placeOf(at)));
  return {
    timeOf: (index) => (index < before ? usual.timeOf(index) : at + (index - before) * everyMs),
    placeOf: (time) => (time < at ? usual.placeOf(time) : before + (time - at) / everyMs),
  };
}
