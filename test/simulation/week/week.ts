import { createRandom, type Random } from '../../../sandbox/notification-service/random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The final outcome of an event. */
export type Fate =
  | 'delivered'
  | 'refused'
  | 'bounced'
  | 'too-late'
  | 'undeliverable'
  | 'skipped'
  | 'retried'
  | 'stuck'
  | 'late-step';

export const FATES: readonly Fate[] = [
  'delivered',
  'refused',
  'bounced',
  'too-late',
  'undeliverable',
  'skipped',
  'retried',
  'stuck',
  'late-step',
];

export interface Workflow {
  readonly identifier: string;
  readonly channel: 'email' | 'sms' | 'push' | 'in_app';
  readonly provider: string;
  /** Its share of all events. */
  readonly share: number;
}

const WORKFLOWS: readonly [Workflow, ...Workflow[]] = [
  { identifier: 'order-shipped', channel: 'email', provider: 'sendgrid', share: 0.25 },
  { identifier: 'login-code', channel: 'sms', provider: 'twilio', share: 0.2 },
  { identifier: 'new-message', channel: 'push', provider: 'fcm', share: 0.25 },
  { identifier: 'comment-added', channel: 'in_app', provider: 'novu', share: 0.2 },
  { identifier: 'invoice', channel: 'email', provider: 'ses', share: 0.08 },
  { identifier: 'appointment-reminder', channel: 'sms', provider: 'twilio', share: 0.02 },
];

/** A time during which this share of a workflow's events is refused, all for one reason. */
export interface Outage {
  readonly from: number;
  readonly to: number;
  readonly workflow: string;
  readonly share: number;
  readonly cause: string;
}

/** A week of events in the order of their creation, in typed arrays, so that a million take about 30 MB. Times are milliseconds. */
export interface Week {
  readonly from: number;
  readonly to: number;
  readonly workflows: readonly Workflow[];
  readonly outages: readonly Outage[];
  readonly createdAt: Float64Array;
  readonly workflow: Uint8Array;
  readonly fate: Uint8Array;
  /** When the event's failure shows; 0 if there is none. */
  readonly failsAt: Float64Array;
  /** An index into `causes`. */
  readonly cause: Uint16Array;
  readonly causes: readonly string[];
  readonly subscriber: Uint32Array;
}

const EVERYDAY_CAUSES = [
  'Mailbox full',
  'The address was suppressed after earlier complaints',
  'The recipient server said that the user is unknown',
  'The handset is switched off',
];
const SUBSCRIBERS = 40_000;

/** Draws a week: days and nights, everyday failures, four outages, a bad deploy, bounces hours and days later, steps that fail late. */
export function drawWeek(seed: number, events: number, from: number, days: number, horizon: number): Week {
  const random = createRandom(seed);
  const to = from + days * DAY;
  const outages = drawOutages(random, from, days);
  const causes = [...EVERYDAY_CAUSES, ...new Set(outages.map(({ cause }) => cause))];
  const week = {
    ...{ from, to, workflows: WORKFLOWS, outages, causes },
    createdAt: times(random, events, from, to),
    workflow: new Uint8Array(events),
    fate: new Uint8Array(events),
    failsAt: new Float64Array(events),
    cause: new Uint16Array(events),
    subscriber: new Uint32Array(events),
  };
  for (let index = 0; index < events; index++) {
    const workflow = drawWorkflow(random);
    const occasion = { createdAt: week.createdAt[index] ?? 0, workflow: WORKFLOWS[workflow] ?? WORKFLOWS[0] };
    const drawn = drawFate(week, occasion, random, horizon);
    week.workflow[index] = workflow;
    week.subscriber[index] = random.between(1, SUBSCRIBERS);
    week.fate[index] = FATES.indexOf(drawn.fate);
    week.failsAt[index] = drawn.failsAt;
    week.cause[index] = drawn.cause;
  }
  return week;
}

/** Draws creation times: twice the average at noon, hardly any at night. */
function times(random: Random, events: number, from: number, to: number): Float64Array {
  const drawn = new Float64Array(events);
  for (let index = 0; index < events; ) {
    const at = from + random.next() * (to - from);
    const daylight = 0.5 - 0.5 * Math.cos((2 * Math.PI * (at % DAY)) / DAY);
    if (random.next() < 0.1 + 0.9 * daylight) drawn[index++] = Math.floor(at);
  }
  return drawn.sort();
}

function drawWorkflow(random: Random): number {
  let left = random.next();
  const found = WORKFLOWS.findIndex(({ share }) => {
    left -= share;
    return left < 0;
  });
  return found === -1 ? 0 : found;
}

function drawOutages(random: Random, from: number, days: number): Outage[] {
  const at = (day: number, hour: number) => from + (day % days) * DAY + hour * HOUR;
  return [
    outage(at(0, 10), 2 * HOUR, 'order-shipped', 1, 'The provided authorization grant is invalid'),
    outage(at(1, 3), 40 * MINUTE, 'login-code', 0.6, 'The carrier does not answer'),
    outage(at(2, 14), 3 * HOUR, 'invoice', 1, 'Template error: the variable amount is not defined'),
    outage(at(3, 9), 20 * MINUTE, 'new-message', 0.3, 'The push gateway is unavailable'),
    outage(at(3, 17), 20 * MINUTE, 'new-message', 0.3, 'The push gateway is unavailable'),
    outage(at(5, random.between(8, 20)), 30 * MINUTE, 'order-shipped', 0.2, 'The daily quota was exceeded'),
  ];
}

function outage(from: number, lasts: number, workflow: string, share: number, cause: string): Outage {
  return { from, to: from + lasts, workflow, share, cause };
}

const SHARES: readonly (readonly [Fate, number])[] = [
  ['refused', 0.001],
  ['undeliverable', 0.01],
  ['skipped', 0.02],
  ['retried', 0.002],
  ['stuck', 0.00005],
];

/** The outcome of one event. `failsAt` is 0 if nothing fails; `cause` is an index into the week's causes. */
interface Drawn {
  readonly fate: Fate;
  readonly failsAt: number;
  readonly cause: number;
}

type Occasion = { readonly createdAt: number; readonly workflow: Workflow };

function drawFate(week: Pick<Week, 'outages' | 'causes'>, occasion: Occasion, random: Random, horizon: number): Drawn {
  const { createdAt, workflow } = occasion;
  const soon = createdAt + random.between(1, 8) * 1000;
  const hit = week.outages.find(
    ({ from, to, workflow: name }) => name === workflow.identifier && createdAt >= from && createdAt < to,
  );
  if (hit && random.chance(hit.share)) return { fate: 'refused', failsAt: soon, cause: week.causes.indexOf(hit.cause) };
  const cause = random.between(0, EVERYDAY_CAUSES.length - 1);
  if (workflow.identifier === 'appointment-reminder' && random.chance(0.02)) {
    return { fate: 'late-step', failsAt: createdAt + random.between(1, 30) * HOUR, cause };
  }
  if (workflow.channel === 'email' && random.chance(0.004)) return drawBounce(createdAt, random, horizon, cause);
  let left = random.next();
  const accident = SHARES.find(([, share]) => {
    left -= share;
    return left < 0;
  });
  return accident === undefined
    ? { fate: 'delivered', failsAt: 0, cause: 0 }
    : { fate: accident[0], failsAt: soon, cause };
}

/** Most bounces come within the hour, some after days. One in fifty comes so late that nobody checks. */
function drawBounce(createdAt: number, random: Random, horizon: number, cause: number): Drawn {
  if (random.chance(0.02)) {
    return { fate: 'too-late', failsAt: createdAt + horizon + random.between(120, 600) * 1000, cause };
  }
  const after = random.chance(0.8) ? random.between(10, 3_600) * 1000 : random.next() * (horizon - MINUTE);
  return { fate: 'bounced', failsAt: createdAt + after, cause };
}
