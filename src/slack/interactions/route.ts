import type { ModalView, PlainTextOption } from '@slack/types';
import type { Access } from '../../domain/access/membership.ts';
import type {
  ActionGesture,
  CommandGesture,
  FilledView,
  HomeGesture,
  MessageGesture,
  OptionsQuery,
  ShortcutGesture,
  SubmissionGesture,
} from './interaction.ts';

/** One way into Notif, who answers, and who can use it. */
export type Door = Surface & { readonly for: Access };

/**
 * What somebody does, by the name that Slack knows it by. Every gesture is acknowledged before `answer` is called; what `answer`
 * throws is told to the person. `options` are acknowledged with the answer itself: Slack wants it in the acknowledgement. Events have
 * the names under which a manifest subscribes to them.
 */
export type Surface =
  | { readonly surface: 'command'; readonly name: string; readonly answer: Answer<CommandGesture> }
  | {
      readonly surface: 'shortcut';
      readonly callbackId: string;
      readonly type: 'global' | 'message';
      readonly answer: Answer<ShortcutGesture>;
    }
  | { readonly surface: 'action'; readonly id: string; readonly answer: Answer<ActionGesture> }
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
      readonly isForOne: (gesture: MessageGesture) => boolean;
      readonly answer: Answer<MessageGesture>;
    }
  | { readonly surface: 'event'; readonly name: 'app_home_opened'; readonly answer: Answer<HomeGesture> };

export type Answer<G> = (gesture: G) => Promise<void>;

/** What a submitted modal is acknowledged with: what is wrong with it, by block, or what happens next. */
export type Submitted =
  | { readonly is: 'refused'; readonly errors: { readonly [blockId: string]: string } }
  | {
      readonly is: 'taken';
      /** What the modal shows from now on; it closes where there is none. */
      readonly next: ModalView | null;
      /** 'kept': it wasn't done, so what was typed can be restored. */
      readonly answer: (gesture: SubmissionGesture) => Promise<unknown>;
      /** Shows why somebody wasn't let in, with what they typed; where this is missing, the reason is shown by itself. */
      readonly refused?: (error: unknown, gesture: SubmissionGesture) => Promise<void>;
    };

/** Says who can use these. Only what changes nothing is for everyone. */
export function doorsFor(access: Access, surfaces: readonly (Surface & { readonly for?: never })[]): Door[] {
  return surfaces.map((surface) => ({ ...surface, for: access }));
}

/**
 * A door for a button, select or menu: `read` takes its value and the id of its block apart, null for one that an older version of Notif wrote. That is answered
 * by `OldButtonError`.
 */
export function actionDoor<Value>(
  id: string,
  read: (value: string, blockId: string) => Value | null,
  answer: (value: Value, gesture: ActionGesture) => Promise<void>,
): Surface {
  return {
    surface: 'action',
    id,
    answer: async (gesture) => {
      const value = read(gesture.value, gesture.blockId);
      if (value === null) throw new OldButtonError();
      await answer(value, gesture);
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
