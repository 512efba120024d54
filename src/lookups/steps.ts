import type { Verdict } from '../failures/verdict.ts';
import type { EventReader } from '../lib/ctx.ts';
import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import {
  answerAbout,
  type ExecutionDetail,
  hidesOutcome,
  isFinal,
  type Job,
  type TriggeredEvent,
} from '../service/event.ts';
import type { Call } from '../service/query.ts';

/** What an answer can say about an event: its verdict, or that the service's response doesn't show it. */
export type Outcome = Verdict | 'not-shown';

/** The order of attention, the most severe first. */
export const OUTCOME_ORDER: readonly Outcome[] = [
  'failed',
  'partly-failed',
  'bounced',
  'stuck',
  'undeliverable',
  'warning',
  'not-shown',
  'in-progress',
  'retried-then-fine',
  'skipped-by-design',
  'delivered',
];

const NEEDS_EYES = new Set<Outcome>(['failed', 'partly-failed', 'bounced', 'stuck', 'undeliverable', 'warning']);

export function needsEyes(outcome: Outcome): boolean {
  return NEEDS_EYES.has(outcome);
}

/** A verdict without a failure doesn't hold if a part of the response is missing or couldn't be read: a failure may be in it. */
export function outcomeOf(
  event: Pick<TriggeredEvent, 'listsSteps' | 'unreadable'>,
  { verdict }: { readonly verdict: Verdict },
): Outcome {
  return hidesOutcome(event) && !needsEyes(verdict) ? 'not-shown' : verdict;
}

/** The times of a step, from its execution details. Milliseconds; null if they have none. */
export interface StepTimes {
  readonly began: Date;
  readonly ended: Date | null;
  /** The newest of its times: for a step that waits, when the wait began. */
  readonly lastSign: Date;
  /** From its first detail to its last one about queueing: waiting for the steps before it and for the queue. */
  readonly waitedMs: number;
  /** From then to its end. */
  readonly ranMs: number | null;
}

/** Ignores what a webhook reports afterwards. Null if no detail has a time and the service gives none for the job. */
export function stepTimes(job: Job): StepTimes | null {
  const ownDetails = timed(job.details.filter((detail) => !isReport(detail)));
  const isTouchedLater = ownDetails.length < timed(job.details).length;
  const ends = [...ownDetails.map(({ at }) => at), ...(isTouchedLater ? [] : [job.updatedAt?.getTime() ?? Number.NaN])];
  const times = ends.filter((at) => !Number.isNaN(at));
  if (times.length === 0) return null;
  const began = Math.min(...times);
  const started = ownDetails.findLast(({ detail }) => detail.status === 'Queued')?.at ?? began;
  const lastSign = Math.max(...times);
  const ended = isFinal(job) ? lastSign : null;
  return {
    began: new Date(began),
    ended: ended === null ? null : new Date(ended),
    lastSign: new Date(lastSign),
    waitedMs: started - began,
    ranMs: ended === null ? null : Math.max(0, ended - started),
  };
}

function isReport({ source }: ExecutionDetail): boolean {
  return source === 'Webhook';
}

function timed(details: readonly ExecutionDetail[]) {
  return details
    .flatMap((detail) => (detail.createdAt === null ? [] : [{ detail, at: detail.createdAt.getTime() }]))
    .sort((a, b) => a.at - b.at);
}

export interface StepsBudget {
  left: number;
}

/** A service that never lists steps would cost a request for each event. */
const MOST_BY_ID = 20;

export function beginSteps(): StepsBudget {
  return { left: MOST_BY_ID };
}

/** The contract makes `jobs` optional. One that the service doesn't answer is returned as listed. */
export function withSteps(
  listed: readonly TriggeredEvent[],
  service: Pick<EventReader, 'retrieveEvent'>,
  call: Call,
  budget: StepsBudget,
): Promise<TriggeredEvent[]> {
  return Promise.all(
    listed.map((event) => {
      const id = event.listsSteps ? null : askableId(event.id);
      if (id === null || budget.left === 0) return event;
      budget.left -= 1;
      return answered(event, id, service, call, budget);
    }),
  );
}

async function answered(
  event: TriggeredEvent,
  id: string,
  service: Pick<EventReader, 'retrieveEvent'>,
  call: Call,
  budget: StepsBudget,
): Promise<TriggeredEvent> {
  try {
    return answerAbout(id, await service.retrieveEvent(id, call)) ?? event;
  } catch (error) {
    if (call.signal?.aborted) return event;
    if (!(error instanceof ServiceError)) throw error;
    if (!mayBeAboutTheRequest(error.problem)) budget.left = 0;
    return event;
  }
}
