import type { PlainTextOption } from '@slack/types';
import { InputError } from '../../lib/errors.ts';
import type { Access } from '../../lib/workspace.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  Handler,
  MessageInteraction,
  Requester,
  Submitted,
} from '../kit/interaction.ts';
import type { MessageContent } from '../kit/message.ts';

export type Route = Surface & { for: Access };

/** Everything but `options` is acknowledged before `answer`. */
export type Surface =
  | { surface: 'command'; id: string; answer: Handler<CommandInteraction> }
  | { surface: 'shortcut'; id: string; type: 'global' | 'message'; answer: Handler<CommandInteraction> }
  | { surface: 'action'; id: string; answer: Handler<ActionInteraction> }
  | {
      surface: 'options';
      id: string;
      answer: (query: { typed: string; blockId: string }) => Promise<readonly PlainTextOption[]>;
    }
  | { surface: 'view'; id: string; take: (view: FilledView) => Submitted }
  | { surface: 'message'; id: 'app_mention' | 'message.im'; answer: Handler<MessageInteraction> }
  | { surface: 'home'; id: 'app_home_opened'; answer: Handler<Requester> };

export function routesFor(access: Access, surfaces: readonly (Surface & { for?: never })[]): Route[] {
  return surfaces.map((surface) => ({ ...surface, for: access }));
}

/** A click whose value `read` refuses (null) is from an older version. */
export function actionRoute<Value>(
  id: string,
  read: (value: string, blockId: string) => Value | null,
  answer: (value: Value, interaction: ActionInteraction) => Promise<void>,
): Surface {
  return {
    surface: 'action',
    id,
    answer: async (interaction) => {
      const value = read(interaction.value, interaction.blockId);
      if (value === null) throw new OldButtonError();
      await answer(value, interaction);
    },
  };
}

/** An `actionRoute` that shows what `answerTo` returns. */
export function answerRoute<Request>(
  id: string,
  read: (value: string) => Request | null,
  answerTo: (request: Request, interaction: ActionInteraction) => Promise<MessageContent>,
): Surface {
  return actionRoute(id, read, async (value, interaction) =>
    interaction.reply.show(await answerTo(value, interaction)),
  );
}

export class OldButtonError extends InputError {
  constructor() {
    const what = 'This is from an older version of Notif and no longer works.';
    super('button', what, null, 'Ask again: /notif help shows how.');
  }
}
