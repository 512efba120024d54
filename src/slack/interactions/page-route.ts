import type { MessageContent } from '../blocks/blocks.ts';
import type { ActionInteraction } from './interaction.ts';
import { actionRoute, type Surface } from './route.ts';

type PageOf<Request> = (request: Request, interaction: ActionInteraction) => Promise<MessageContent>;

/**
 * The routes of buttons whose value requests another page: it replaces the message or modal with the button. `read` returns null for a value
 * of an older version of Notif.
 */
export function pageRoutes<Request>(
  ids: readonly string[],
  read: (value: string) => Request | null,
  pageOf: PageOf<Request>,
): Surface[] {
  return ids.map((id) =>
    actionRoute(id, read, async (request, interaction) =>
      interaction.reply.replace(await pageOf(request, interaction)),
    ),
  );
}

/** The routes of buttons whose value requests an answer of its own: it's shown beside the message with the button. */
export function answerRoutes<Request>(
  ids: readonly string[],
  read: (value: string) => Request | null,
  pageOf: PageOf<Request>,
): Surface[] {
  return ids.map((id) =>
    actionRoute(id, read, async (request, interaction) => interaction.reply.show(await pageOf(request, interaction))),
  );
}
