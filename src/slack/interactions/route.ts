import type { ModalView, PlainTextOption } from '@slack/types';
import type { Access } from '../../domain/access/membership.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  FilledView,
  HomeInteraction,
  MessageInteraction,
  OptionsQuery,
  ShortcutInteraction,
  SubmissionInteraction,
} from './interaction.ts';

/** One way into Notif, who answers, and who can use it. */
export type Route = Surface & { readonly for: Access };

/**
 * What somebody does, by the name that Slack knows it by. Every interaction is acknowledged before `answer` is called; what `answer`
 * throws is shown to the person. `options` are acknowledged with the answer itself: Slack wants it in the acknowledgment. Events have
 * the names under which a manifest subscribes to them.
 */
export type Surface =
  | { readonly surface: 'command'; readonly name: string; readonly answer: Answer<CommandInteraction> }
  | {
      readonly surface: 'shortcut';
      readonly callbackId: string;
      readonly type: 'global' | 'message';
      readonly answer: Answer<ShortcutInteraction>;
    }
  | { readonly surface: 'action'; readonly id: string; readonly answer: Answer<ActionInteraction> }
  | {
      readonly surface: 'options';
      readonly id: string;
      readonly answer: (query: OptionsQuery) => Promise<readonly PlainTextOption[]>;
    }
  | {
      readonly surface: 'view';
      readonly callbackId: string;
      /**
       * What its form is about, by its metadata, so that what somebody typed can be restored in a form about the same for ten minutes; null
       * for one of which nothing is kept, as where credentials are typed.
       */
      readonly draft: ((privateMetadata: string) => string) | null;
      readonly take: (view: FilledView) => Submitted;
    }
  | {
      readonly surface: 'event';
      readonly name: 'app_mention' | 'message.im';
      /** Whether the answer is for the person alone, though others read the question. */
      readonly isForOne: (interaction: MessageInteraction) => boolean;
      readonly answer: Answer<MessageInteraction>;
    }
  | { readonly surface: 'event'; readonly name: 'app_home_opened'; readonly answer: Answer<HomeInteraction> };

export type Answer<G> = (interaction: G) => Promise<void>;

/** What a submitted modal is acknowledged with: what is wrong with it, by block, or what happens next. */
export type Submitted =
  | { readonly is: 'refused'; readonly errors: { readonly [blockId: string]: string } }
  | {
      readonly is: 'taken';
      /** What the modal shows from now on; it closes where there is none. */
      readonly next: ModalView | null;
      /** 'kept': it wasn't done, so what was typed can be restored. */
      readonly answer: (interaction: SubmissionInteraction) => Promise<unknown>;
      /** Shows why somebody wasn't let in, with what they typed; where this is missing, the reason is shown by itself. */
      readonly refused?: (error: unknown, interaction: SubmissionInteraction) => Promise<void>;
    };

/** Says who can use these. Only what changes nothing is for everyone. */
export function routesFor(access: Access, surfaces: readonly (Surface & { readonly for?: never })[]): Route[] {
  return surfaces.map((surface) => ({ ...surface, for: access }));
}

/**
 * A route for a button, select or menu: `read` takes its value and the id of its block apart, null for one that an older version of Notif wrote. That is answered
 * by `OldButtonError`.
 */
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

/** A button, select or form that this version of Notif does not know: an older one made it. */
export class OldButtonError extends Error {
  override readonly name = 'OldButtonError';

  constructor() {
    super('made by an older version of Notif');
  }
}
