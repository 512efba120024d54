import { bucketsOf } from '../domain/charts/buckets.ts';
import type { Chart, CountedGroup, Mark } from '../domain/charts/chart.ts';
import { makeChart } from '../domain/charts/make-chart.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/time/durations.ts';
import type { TimeRange } from '../domain/time/time-range.ts';

export const START = Date.parse('2026-03-04T06:00:00Z');

const CAUSES = [
  'The provided authorization grant is invalid (401)',
  'Mailbox full',
  'Connection timed out after 10000 ms',
];

/** Returns a number that looks random but is the same each time. */
function wobble(seed: number): number {
  return Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;
}

export interface Planted {
  readonly hours: number;
  /** The failures of each group in a bucket, by the elapsed part of the range: 0 to 1. */
  readonly groups: readonly (Partial<CountedGroup> & { readonly at: (part: number, bucket: number) => number })[];
  readonly rest?: (part: number) => number;
  readonly gaps?: readonly TimeRange[];
  readonly coveredFromMs?: number;
  readonly marks?: readonly Mark[];
  readonly eventsAnHour?: number;
}

export function plantedChart(planted: Planted): Chart {
  const { hours, groups, rest = () => 0, gaps = [], coveredFromMs = 0, marks = [], eventsAnHour = 1_800 } = planted;
  const asked = { from: new Date(START), to: new Date(START + hours * HOUR_MS) };
  const buckets = bucketsOf(asked);
  const each = (at: (part: number, bucket: number) => number) =>
    Array.from({ length: buckets.count }, (_, bucket) => Math.round(at(bucket / buckets.count, bucket)));
  const inBucket = (eventsAnHour * buckets.bucketMs) / HOUR_MS;
  const counted = {
    groups: groups.map(({ at, ...group }, index) => ({
      ...{ channel: 'email', provider: 'sendgrid', workflow: 'order-shipped', cause: CAUSES[index % 3] ?? '' },
      ...group,
      counts: each(at),
    })),
    rest: each(rest),
    events: each((part, bucket) => inBucket * (1 + 0.4 * Math.sin(part * 9) + 0.15 * wobble(bucket))),
    unreadable: 0,
    marks,
  };
  return makeChart(buckets, counted, { coverage: { from: new Date(START + coveredFromMs), to: asked.to }, gaps });
}

const minutes = (from: number, to: number): TimeRange => ({
  from: new Date(START + from * MINUTE_MS),
  to: new Date(START + to * MINUTE_MS),
});

/** Typical charts. */
export const CHARTS = {
  outage: plantedChart({
    hours: 2,
    groups: ['order-shipped', 'payment-failed', 'weekly-digest', 'password-reset'].map((workflow, index) => ({
      workflow,
      cause: CAUSES[0] ?? '',
      at: (part, bucket) => (part > 0.3 && part < 0.75 ? (40 / (index + 1)) * (0.6 + 0.6 * wobble(bucket + index)) : 0),
    })),
    marks: [
      { kind: 'change', name: 'SendGrid', at: new Date(START + 36 * MINUTE_MS) },
      { kind: 'acknowledged', name: null, at: new Date(START + 58 * MINUTE_MS) },
      { kind: 'resolved', name: null, at: new Date(START + 105 * MINUTE_MS) },
    ],
  }),
  flapping: plantedChart({
    hours: 6,
    groups: [{ at: (part, bucket) => (Math.floor(part * 12) % 2 === 1 ? 12 * wobble(bucket) : 0) }],
  }),
  'three days': plantedChart({
    hours: 72,
    coveredFromMs: 9 * HOUR_MS,
    groups: [
      { provider: 'sendgrid', at: (part, bucket) => (part > 0.6 ? 300 * wobble(bucket) : 6) },
      { provider: 'ses', at: (_, bucket) => 40 * wobble(bucket + 7) },
      { channel: 'sms', provider: 'twilio', at: (part) => (part > 0.3 && part < 0.4 ? 180 : 0) },
    ],
    gaps: [minutes(26 * 60, 35 * 60), minutes(60 * 60, 60 * 60 + 30)],
    marks: [{ kind: 'acknowledged', name: null, at: new Date(START + 50 * HOUR_MS) }],
  }),
  'many causes': plantedChart({
    hours: 24,
    groups: Array.from({ length: 14 }, (_, index) => ({
      cause: `${CAUSES[index % 3]} · relay ${index} of a name that goes on and on`,
      at: (_part: number, bucket: number) => (30 / (index + 1)) * wobble(bucket * (index + 3)),
    })),
    rest: () => 2,
  }),
  'one bar': plantedChart({ hours: 1, groups: [{ at: (_, bucket) => (bucket === 41 ? 3 : 0) }], eventsAnHour: 40 }),
  'little checked': plantedChart({
    hours: 3,
    coveredFromMs: 2.4 * HOUR_MS,
    groups: [{ at: (part) => (part > 0.85 ? 4 : 0) }],
    eventsAnHour: 120_000,
  }),
} as const satisfies Readonly<Record<string, Chart>>;
