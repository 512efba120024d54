import type { ModalView } from '@slack/types';
import type { ListPage } from './buttons.ts';
import type { FilledForm, FormErrors } from './filled-form.ts';
import type { AnswerAt, Modal } from './places.ts';
import type { Reply } from './reply.ts';

export interface Requester {
  userId: string;
  /** Null outside of channels, as on the Home tab. */
  channelId: string | null;
  reply: Reply;
}

export interface MessageInteraction extends Requester {
  channelId: string;
  /** It has Slack's markup, but no mention of Notif. */
  text: string;
  ts: string;
  threadTs: string | null;
  /** Answers everybody in the channel, where `reply` is for the person alone. */
  toEverybody: Reply;
}

export interface Interaction extends Requester {
  /** Null without Slack's `response_url`, as on the Home tab. */
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

export interface FilledView extends FilledForm {
  /** What `keptIn` (kit/views.ts) reads. */
  privateMetadata: string;
  /** What a field was filled with when it was drawn. */
  initialIn(blockId: string): string | null;
}

export interface ActionInteraction extends Interaction {
  value: string;
  blockId: string;
  /** The modal that was clicked in. */
  modal: (Modal & FilledView) | null;
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
      /** What the modal shows next; null closes it. */
      next: ModalView | null;
      /** Where `reply` shows an answer: where the form was requested. */
      answerAt?: AnswerAt | null;
      answer: Handler<SubmissionInteraction>;
      /** Says that the person can't submit the form; without it, the reply does. */
      denied?: (error: unknown, interaction: SubmissionInteraction) => Promise<void>;
    };
