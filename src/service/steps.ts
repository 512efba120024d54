import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { completed, eventKey, showsAll, showsOneRecipient, type TriggeredEvent } from './event.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Call, PAGE_SIZE } from './query.ts';

/** A service that never lists steps would cost a request for each event. */
const MOST_BY_ID = 20;

export const beginSteps = (left = MOST_BY_ID) => ({ left, every: 1, turn: 0 });
export type StepsBudget = ReturnType<typeof beginSteps>;

/** Reads by ID what a list leaves out: steps (the contract makes `jobs` optional), and why one failed. */
export function withSteps(
  listed: readonly TriggeredEvent[],
  service: EventReader,
  call: Call,
  budget: StepsBudget,
): Promise<TriggeredEvent[]> {
  return Promise.all(
    listed.map((event) => {
      const id = showsAll(event) ? null : askableId(event.id);
      const isItsTurn = event.listsSteps || budget.turn++ % budget.every === 0;
      if (id === null || budget.left === 0 || !isItsTurn) return event;
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
    return completed(event, await service.retrieveEvent(id, call));
  } catch (error) {
    if (call.signal?.aborted) return event;
    if (!(error instanceof ServiceError)) throw error;
    if (!mayBeAboutTheRequest(error.problem)) budget.left = 0;
    return event;
  }
}

/** The event as the list has it, where the service answers its ID with the steps of other recipients. */
export async function retrieveOwnSteps(
  id: string,
  service: Pick<NotificationService, 'retrieveEvent' | 'listEvents' | 'clockAheadMs'>,
  { call, now }: { call: Call; now: Date },
): Promise<TriggeredEvent | null> {
  const answer = await service.retrieveEvent(id, call);
  if (answer === null || !answer.listsSteps || showsOneRecipient(answer)) return answer;
  const { transactionId, subscriber } = answer;
  const query = {
    transactionId,
    ...(subscriber && { subscriberIds: [subscriber.subscriberId] }),
    before: listEnd(now, service.clockAheadMs()),
    limit: PAGE_SIZE,
  };
  const { items } = await service.listEvents(query, call);
  return items.find((item) => eventKey(item) === eventKey(answer)) ?? { ...answer, jobs: [], listsSteps: false };
}
