import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { answerAbout, type TriggeredEvent } from './event.ts';
import type { EventReader } from './operations.ts';
import type { Call } from './query.ts';

/** A service that never lists steps would cost a request for each event. */
const MOST_BY_ID = 20;

export const beginSteps = (left = MOST_BY_ID) => ({ left, every: 1, turn: 0 });
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
      if (id === null || budget.left === 0 || budget.turn++ % budget.every !== 0) return event;
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
