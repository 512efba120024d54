import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { answerAbout, type TriggeredEvent } from '../service/event.ts';
import type { Call } from '../service/query.ts';

export interface StepsReader {
  retrieveEvent(id: string, call: Call): Promise<TriggeredEvent | null>;
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
  service: StepsReader,
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
  service: StepsReader,
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
