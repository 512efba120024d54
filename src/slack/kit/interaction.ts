import type { ModalView } from '@slack/types';
import type { ListPage } from './buttons.ts';
import type { FilledForm, FormErrors } from './inputs.ts';
import type { AnswerAt, Modal } from './places.ts';
import type { Reply } from './reply.ts';

export interface Requester {
  userId: string;
  channelId: string | null;
  reply: Reply;
}

export interface MessageInteraction extends Requester {
  channelId: string;
  /** It has Slack's markup, but no mention of Notif. */
  text: string;
  ts: string;
  threadTs: string | null;
  toEverybody: Reply;
}

export interface Interaction extends Requester {
  answerAt: AnswerAt | null;
  /** Works once, within three seconds (Slack). */
  openModal(view: ModalView): Promise<Modal>;
}

export interface CommandInteraction extends Interaction {
  /** A shortcut has its message's text here. */
  text: string;
  page?: ListPage | undefined;
  /** The incidents in whose thread it was written. */
  inThreadOf?: readonly number[];
}

export interface ActionInteraction extends Interaction {
  value: string;
  blockId: string;
  modal: (Modal & FilledView) | null;
}

export interface FilledView extends FilledForm {
  privateMetadata: string;
  initialIn(blockId: string): string | null;
}

/** Replies go where the form was requested, else to direct messages. */
export interface SubmissionInteraction extends Requester {
  modal: Modal;
}

export type Handler<I> = (interaction: I) => Promise<void>;

export type Submitted =
  | { is: 'invalid'; errors: FormErrors }
  | {
      is: 'accepted';
      next: ModalView | null;
      answerAt?: AnswerAt | null;
      answer: Handler<SubmissionInteraction>;
      denied?: (error: unknown, interaction: SubmissionInteraction) => Promise<void>;
    };
