import { addSeconds } from 'date-fns';
import { mayBeAboutTheRequest, orServiceError, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { completed, lacksReason, showsOneRecipient, type TriggeredEvent } from './event.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Call, PAGE_SIZE } from './query.ts';

/** A service that never lists steps would cost a request for each event. */
const MOST_BY_ID = 20;

export const beginSteps = (left = MOST_BY_ID) => ({ left, every: 1, turn: 0 });
export type StepsBudget = ReturnType<typeof beginSteps>;

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
      const isItsTurn = event.listsSteps || budget.turn++ % budget.every === 0;
      if (id === null || budget.left === 0 || !isItsTurn) return event;
      budget.left -= 1;
      const answer = await orServiceError(service.retrieveEvent(id, call));
      if (!(answer instanceof ServiceError)) return completed(event, answer);
      if (!mayBeAboutTheRequest(answer.problem)) budget.left = 0;
      return event;
    }),
  );
}

/** Some servers answer with other recipients' steps as well, so the list decides which belong to this event. */
export async function retrieveOwnSteps(
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
