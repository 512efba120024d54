import { addDays, max } from 'date-fns';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { type Unread, windowsLeft } from '../coverage/gap.ts';
import { type NewCounts, openGap } from '../coverage/gaps.ts';
import { agesUpTo } from '../coverage/pass-ages.ts';
import type { EnvironmentRow } from '../coverage/tables.ts';
import type { Traffic } from '../judging/traffic.ts';
import type { Environment } from '../lib/environment.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { byServiceClock } from '../lib/time/service-clock.ts';
import type { EventReader, NotificationService } from '../service/operations.ts';
import type { Call } from '../service/query.ts';
import type { ServiceError } from '../service/service-error.ts';
import { type StepsBudget, stepsBudget } from '../service/steps.ts';
import type { Ctx } from '../store/db.ts';

/** A tenth of the smallest plan's rate (docs/service.md), for present and past each. */
const STEP_REQUESTS_A_MINUTE = 180;
/** For each event whose reason only its message has. */
const MESSAGE_REQUESTS_A_MINUTE = 30;
/** Polls further apart get no more requests each. */
const LONGEST_BUDGET_MS = 5 * MINUTE_MS;
/** Each failed request costs seconds of retries. */
const MOST_FAILED_REQUESTS = 20;

export type PolledService = EventReader & Pick<NotificationService, 'listEvents' | 'listMessages'>;

export interface PollingCtx extends Ctx {
  environments: readonly Environment[];
  serviceOf: (environment: string) => PolledService;
  explainCause: ExplainCause;
  pollMs: number;
  horizonMs: number;
  traffic: Traffic;
}

/** One reading of an environment's list, by the present or the past. */
export interface Reading {
  ctx: PollingCtx;
  environment: string;
  /** Null: not known yet. */
  serviceEnvironmentId: string | null;
  signal: AbortSignal;
  service: PolledService;
  call: Call & { who: 'poller' };
  serviceNow: () => Date;
  /** The service's clock was known, but wasn't measured since Notif started. */
  needsProbe: boolean;
  /** Ages of passes in minutes. */
  ages: readonly number[];
  /** While the service fails or is slow, each minute of its list is kept once it is read. */
  keepsMinutes: boolean;
  steps: StepsBudget;
  messageRequestsLeft: number;
  /** What was recorded and wasn't known. */
  added: NewCounts;
  /** How many pages were read. */
  pages: number;
  /** How many slices were read whole. */
  slices: number;
  /** At none, the last failure is the reading's trouble. */
  failedRequestsLeft: number;
  /** Set once no more is tried of what the service refuses. */
  trouble: ServiceError | null;
  /** When the service last answered a probe, by our clock. */
  probedAt: Date | null;
  /** The service has refused older events as beyond the plan. */
  planReachesFrom: Date;
  /** Up to where younger passes have read. */
  youngerReadTo: Date;
  /** Domains that failures and counts are stored with. */
  domains: Set<string>;
}

export function beginReading(ctx: PollingCtx, known: EnvironmentRow, signal: AbortSignal): Reading {
  const { environment, serviceEnvironmentId, clockAheadMs, failingSince, lagMs, readAhead, domains } = known;
  const service = ctx.serviceOf(environment);
  return {
    ctx,
    environment,
    serviceEnvironmentId,
    signal,
    service,
    call: { who: 'poller', signal },
    serviceNow: () => byServiceClock(ctx.now(), service.clockAheadMs() ?? clockAheadMs),
    needsProbe: clockAheadMs !== null && service.clockAheadMs() === null,
    ages: agesUpTo(ctx.horizonMs),
    keepsMinutes: failingSince !== null || lagMs !== null || readAhead.length > 0,
    steps: stepsBudget(requestsIn(ctx, STEP_REQUESTS_A_MINUTE)),
    messageRequestsLeft: requestsIn(ctx, MESSAGE_REQUESTS_A_MINUTE),
    added: { ...NOTHING },
    pages: 0,
    slices: 0,
    failedRequestsLeft: MOST_FAILED_REQUESTS,
    trouble: null,
    probedAt: null,
    planReachesFrom: new Date(0),
    youngerReadTo: new Date(0),
    domains: new Set(domains),
  };
}

const requestsIn = ({ pollMs }: PollingCtx, perMinute: number): number =>
  Math.ceil((perMinute * Math.min(pollMs, LONGEST_BUDGET_MS)) / MINUTE_MS);

export const NOTHING: NewCounts = { newEvents: 0, newFailures: 0, newUnreadable: 0 };

/** Beyond the plan's reach, a pass misses nothing that a younger one has read. */
export async function openGapsFor(
  { ctx, environment, youngerReadTo }: Reading,
  unread: readonly Unread[],
): Promise<void> {
  const now = ctx.now();
  for (const { to, cause, ...range } of unread) {
    const missing = { from: cause === 'beyond-plan' ? max([range.from, youngerReadTo]) : range.from, to, cause };
    if (missing.from >= to) continue;
    const gap = { ...missing, windows: windowsLeft([missing], 0, now) };
    await ctx.db.transaction((tx) => openGap(tx, environment, gap, now));
    ctx.logger.warn({ environment, ...missing }, 'Gap opened');
  }
}

/** Measures the service's clock. A service that fails on a moment without events fails as a whole. */
export async function probe({ ctx, service, call }: Reading): Promise<void> {
  const moment = addDays(ctx.now(), 1);
  const query = { after: moment, before: moment, limit: 1 };
  for await (const _ of service.eventPages(query, call)) break;
}
