import type { ModalView, PlainTextOption } from '@slack/types';
import type { Access } from '../../lib/people.ts';
import type { MessageContent } from '../kit/blocks.ts';
import type { FormErrors } from '../kit/inputs.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  MessageInteraction,
  Requester,
  SubmissionInteraction,
} from './interaction.ts';

export type Route = Surface & { readonly for: Access };

/** Acknowledged before `answer`, but for `options`. */
export type Surface =
  | { readonly surface: 'command'; readonly name: string; readonly answer: Handler<CommandInteraction> }
  | {
      readonly surface: 'shortcut';
      readonly callbackId: string;
      readonly type: 'global' | 'message';
      readonly answer: Handler<CommandInteraction>;
    }
  | { readonly surface: 'action'; readonly id: string; readonly answer: Handler<ActionInteraction> }
  | {
      readonly surface: 'options';
      readonly id: string;
      readonly answer: (query: { typed: string; blockId: string }) => Promise<readonly PlainTextOption[]>;
    }
  | { readonly surface: 'view'; readonly callbackId: string; readonly take: (view: FilledView) => Submitted }
  | {
      readonly surface: 'message';
      readonly name: 'app_mention' | 'message.im';
      readonly answer: Handler<MessageInteraction>;
    }
  | { readonly surface: 'home'; readonly name: 'app_home_opened'; readonly answer: Handler<Requester> };

export type Handler<I> = (interaction: I) => Promise<void>;

export type Submitted =
  | { readonly is: 'refused'; readonly errors: FormErrors }
  | {
      readonly is: 'taken';
      readonly next: ModalView | null;
      readonly answerUrl?: string | null;
      readonly answer: Handler<SubmissionInteraction>;
      readonly refused?: (error: unknown, interaction: SubmissionInteraction) => Promise<void>;
    };

export function routesFor(access: Access, surfaces: readonly (Surface & { readonly for?: never })[]): Route[] {
  return surfaces.map((surface) => ({ ...surface, for: access }));
}

/** `read` returns null for another version's value. */
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

export function answerRoutes<Request>(
  ids: readonly string[],
  read: (value: string) => Request | null,
  answerTo: (request: Request, interaction: ActionInteraction) => Promise<MessageContent>,
  way: 'show' | 'replace' = 'show',
): Surface[] {
  return ids.map((id) =>
    actionRoute(id, read, async (value, interaction) => interaction.reply[way](await answerTo(value, interaction))),
  );
}

export class OldButtonError extends Error {
  override readonly name = 'OldButtonError';
}
