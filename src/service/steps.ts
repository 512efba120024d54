import { addSeconds } from 'date-fns';
import { mayBeAboutTheRequest, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import { completed, showsAll, showsOneRecipient, type TriggeredEvent } from './event.ts';
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
  const answered = async (event: TriggeredEvent, id: string) => {
    try {
      return completed(event, await service.retrieveEvent(id, call));
    } catch (error) {
      if (call.signal?.aborted) return event;
      if (!(error instanceof ServiceError)) throw error;
      if (!mayBeAboutTheRequest(error.problem)) budget.left = 0;
      return event;
    }
  };
  return Promise.all(
    listed.map((event) => {
      const id = showsAll(event) ? null : askableId(event.id);
      const isItsTurn = event.listsSteps || budget.turn++ % budget.every === 0;
      if (id === null || budget.left === 0 || !isItsTurn) return event;
      budget.left -= 1;
      return answered(event, id);
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
  const listed = await listedAs(answer, service, call);
  if (listed?.listsSteps) return { ...answer, jobs: completed(listed, answer).jobs };
  return showsOneRecipient(answer) ? answer : { ...answer, jobs: [], listsSteps: false };
}

async function listedAs(
  { transactionId, subscriber, createdAt, ...event }: TriggeredEvent,
  service: Pick<NotificationService, 'listEvents'>,
  call: Call,
): Promise<TriggeredEvent | null> {
  const query = {
    transactionId,
    ...(subscriber && { subscriberIds: [subscriber.subscriberId] }),
    ...(createdAt && { after: addSeconds(createdAt, -1), before: addSeconds(createdAt, 1) }),
    limit: PAGE_SIZE,
  };
  try {
    const { items } = await service.listEvents(query, call);
    return items.find(({ id }) => id === event.id) ?? null;
  } catch (error) {
    if (call.signal?.aborted || !(error instanceof ServiceError)) throw error;
    return null;
  }
}
