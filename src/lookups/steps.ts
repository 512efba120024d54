import type { Verdict } from '../failures/verdict.ts';
import type { EventReader } from '../lib/ctx.ts';
import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { answerAbout, hidesOutcome, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Call } from '../service/query.ts';

export type Outcome = Verdict | 'not-shown';

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

export function needsEyes(outcome: Outcome): boolean {
  return OUTCOME_ORDER.indexOf(outcome) < OUTCOME_ORDER.indexOf('not-shown');
}

export function outcomeOf(event: TriggeredEvent, { verdict }: { verdict: Verdict }): Outcome {
  return hidesOutcome(event) && !needsEyes(verdict) ? 'not-shown' : verdict;
}

/** Without what a webhook reports afterwards. */
export function stepTimes({ details, updatedAt }: Job): { began: Date; last: Date } | null {
  const own = details.filter(({ source }) => source !== 'Webhook');
  const dates = [...own.map(({ createdAt }) => createdAt), own.length < details.length ? null : updatedAt];
  const times = dates.flatMap((date) => date?.getTime() ?? []);
  return times.length === 0 ? null : { began: new Date(Math.min(...times)), last: new Date(Math.max(...times)) };
}

/** A service that never lists steps would cost a request for each event. */
const MOST_BY_ID = 20;

export const beginSteps = () => ({ left: MOST_BY_ID });
export type StepsBudget = ReturnType<typeof beginSteps>;

/** The contract makes `jobs` optional. */
export function withSteps(
  listed: readonly TriggeredEvent[],
  service: EventReader,
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
  service: EventReader,
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
