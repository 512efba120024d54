import { z } from 'zod';
import { eventsAlong, type GeneratedEvents, steadyTimeline, type Timeline } from '../generated-events.ts';

/** A service with several environments, counted from 1: `key-1` is the API key of the first. Times in milliseconds. */
export const Tenancy = z.object({
  environments: z.number(),
  /** The time of the first event. */
  firstAt: z.number(),
  eventsAMinute: z.number(),
  /** One event in so many has a step that failed; in each environment another one. */
  failingOneIn: z.number(),
});
export type Tenancy = z.infer<typeof Tenancy>;

/** From `at`, the first `environments` environments have this many events a minute instead. */
export const Surge = z.object({ at: z.number(), environments: z.number(), eventsAMinute: z.number() });
export type Surge = z.infer<typeof Surge>;

/** What the service is asked to do: change the rate of events, or create none after a time. */
export const Command = z.union([z.object({ surge: Surge }), z.object({ end: z.number() })]);
export type Command = z.infer<typeof Command>;

/** What a service was asked for. */
export const ServiceCounts = z.object({
  requests: z.number(),
  /** Requests for late failures. */
  checks: z.number(),
  /** Events in the answers to all requests, and to checks. */
  events: z.number(),
  checkedEvents: z.number(),
  /** When the polls of environments began. */
  polls: z.array(z.tuple([z.number(), z.number()])),
});
export type ServiceCounts = z.infer<typeof ServiceCounts>;

const MINUTE_MS = 60_000;

export interface TenantEvents extends GeneratedEvents {
  /** Returns how many events were created up to a time, and how many of them failed. */
  countsUntil(time: number): { readonly events: number; readonly failures: number };
}

/** Generates the events of an environment, at moments that differ from those of the others. */
export function eventsOfTenant(tenant: number, tenancy: Tenancy, surge: Surge | null): TenantEvents {
  const { environments, eventsAMinute, failingOneIn } = tenancy;
  const everyMs = MINUTE_MS / eventsAMinute;
  const usual = steadyTimeline({ firstAt: tenancy.firstAt + ((tenant - 1) / environments) * everyMs, everyMs });
  const timeline = surge === null || tenant > surge.environments ? usual : surging(usual, surge);
  const failuresBefore = (index: number) => Math.floor((index + tenant - 1) / failingOneIn);
  return {
    ...eventsAlong(timeline, (index) => (index + tenant) % failingOneIn === 0),
    countsUntil(time) {
      const events = Math.max(0, Math.floor(timeline.placeOf(time)) + 1);
      return { events, failures: failuresBefore(events) - failuresBefore(0) };
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
