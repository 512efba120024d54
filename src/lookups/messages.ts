import { workflowsIn } from '../changes/workflows.ts';
import { orServiceError, ServiceError } from '../lib/errors.ts';
import { askableId } from '../lib/text/shown-id.ts';
import type { Message, MessagePage, MessageQuery } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import type { Db } from '../store/db.ts';

/** Null if the subscriber isn't known. */
export async function listMessages(
  db: Db,
  environment: string,
  service: NotificationService,
  query: MessageQuery,
): Promise<MessagePage | null> {
  const page = await service.listMessages(query, PERSON);
  const unnamed = page?.items.filter(({ workflow }) => workflow === null) ?? [];
  if (page === null || unnamed.length === 0) return page;
  const stored = await workflowsIn(db, environment);
  const names = new Map<string | null, string | null>(stored.map(({ id, identifier }) => [id, identifier]));
  const others = new Map(unnamed.map(({ workflowId, eventId }) => [workflowId, eventId]));
  const unknown = [...others].filter(([id]) => id !== null && !names.has(id)).slice(0, MOST_EVENTS);
  await Promise.all(unknown.map(async ([id, eventId]) => names.set(id, await workflowOf(service, eventId))));
  const items = page.items.map((message): Message => {
    return { ...message, workflow: message.workflow ?? names.get(message.workflowId) ?? null };
  });
  return { ...page, items };
}

const MOST_EVENTS = 10;

async function workflowOf(service: NotificationService, eventId: string): Promise<string | null> {
  const id = askableId(eventId);
  const event = id && (await orServiceError(service.retrieveEvent(id, PERSON)));
  if (!event || event instanceof ServiceError) return null;
  return event.workflow?.identifier ?? 'deleted workflow';
}
