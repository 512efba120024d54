import { workflowsIn } from '../changes/workflows.ts';
import { ServiceError, StoreTroubleError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { askableId } from '../lib/text/shown-id.ts';
import type { Message, MessagePage, MessageQuery } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { PERSON } from '../service/query.ts';
import type { Db } from '../store/db.ts';

interface MessagesCtx {
  db: Db;
  logger: Logger;
  serviceOf: (environment: string) => NotificationService;
}

/** Null if the subscriber isn't known. Throws `ServiceError`. */
export async function listMessages(
  ctx: MessagesCtx,
  environment: string,
  query: MessageQuery,
): Promise<MessagePage | null> {
  const page = await ctx.serviceOf(environment).listMessages(query, PERSON);
  const unnamed = page?.items.filter(({ workflow }) => workflow === null) ?? [];
  if (page === null || unnamed.length === 0) return page;
  const names = await workflowNames(ctx, environment, unnamed);
  const named = (message: Message) => ({
    ...message,
    workflow: message.workflow ?? names.get(message.workflowId) ?? null,
  });
  return { ...page, items: page.items.map(named) };
}

const MOST_EVENTS = 10;

/** By ID, as events name them: chat and push messages don't. */
async function workflowNames(
  { db, logger, serviceOf }: MessagesCtx,
  environment: string,
  messages: readonly Message[],
) {
  const stored = await workflowsIn(db, environment).catch((err: unknown) => {
    if (!(err instanceof StoreTroubleError)) throw err;
    logger.warn({ err, environment }, "Workflows of messages couldn't be read from the database");
    return [];
  });
  const names = new Map<string | null, string>(stored.map(({ id, identifier }) => [id, identifier]));
  const unknown = new Map(
    messages.filter(({ workflowId }) => !names.has(workflowId)).map((message) => [message.workflowId, message]),
  );
  const read = [...unknown].slice(0, MOST_EVENTS).map(async ([workflowId, { eventId }]) => {
    try {
      const id = askableId(eventId);
      const event = id === null ? null : await serviceOf(environment).retrieveEvent(id, PERSON);
      if (event !== null) names.set(workflowId, event.workflow?.identifier ?? 'deleted workflow');
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err;
      logger.info({ err, environment }, "A message's event couldn't be read for its workflow");
    }
  });
  await Promise.all(read);
  return names;
}
