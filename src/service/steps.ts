import { addSeconds } from 'date-fns';
import { askableId } from '../lib/text/shown-id.ts';
import { completed, lacksReason, showsOneRecipient, type TriggeredEvent } from './event.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Call, PAGE_SIZE } from './query.ts';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from './service-error.ts';

/** Of one list, no more events are asked for by their IDs. */
const MOST_BY_ID = 20;

/** An event that is listed without steps costs a request. */
export interface StepsBudget {
  /** Requests. */
  left: number;
  /** Only each `every`th of the events without steps is asked for, as counted by `turn`. */
  every: number;
  turn: number;
}

export function stepsBudget(left = MOST_BY_ID): StepsBudget {
  return { left, every: 1, turn: 0 };
}

/** Asks for the steps and reasons that the list leaves out, as far as the budget goes. */
export function withSteps(
  listed: readonly TriggeredEvent[],
  service: EventReader,
  call: Call,
  budget: StepsBudget,
): Promise<TriggeredEvent[]> {
  return Promise.all(
    listed.map(async (event) => {
      const isWhole = event.listsSteps && !event.jobs.some(lacksReason);
      const id = isWhole ? null : askableId(event.id);
      const isItsTurn = event.listsSteps || budget.turn % budget.every === 0;
      if (!event.listsSteps) budget.turn += 1;
      if (id === null || budget.left === 0 || !isItsTurn) return event;
      budget.left -= 1;
      const answer = await orServiceError(service.retrieveEvent(id, call));
      if (!(answer instanceof ServiceError)) return completed(event, answer);
      if (!mayBeAboutTheRequest(answer.problem)) budget.left = 0;
      return event;
    }),
  );
}

/** Some servers add other recipients' steps, so the list decides which belong to this event. */
export async function retrieveWithOwnSteps(
  id: string,
  service: Pick<NotificationService, 'retrieveEvent' | 'listEvents'>,
  call: Call,
): Promise<TriggeredEvent | null> {
  const answer = await service.retrieveEvent(id, call);
  if (answer === null || !answer.listsSteps) return answer;
  const { transactionId, subscriber, createdAt } = answer;
  const query = {
    transactionId,
    ...(subscriber && { subscriberIds: [subscriber.subscriberId] }),
    ...(createdAt && { after: addSeconds(createdAt, -1), before: addSeconds(createdAt, 1) }),
    limit: PAGE_SIZE,
  };
  const page = await orServiceError(service.listEvents(query, call));
  const listed = page instanceof ServiceError ? undefined : page.items.find((event) => event.id === answer.id);
  if (listed?.listsSteps) return { ...answer, jobs: completed(listed, answer).jobs };
  return showsOneRecipient(answer) ? answer : { ...answer, jobs: [], listsSteps: false };
}
