import type { ModalView } from '@slack/types';
import type { ListPage } from '../kit/buttons.ts';
import type { FilledForm } from '../kit/inputs.ts';
import type { Reply } from './reply.ts';

/** What they did is already acknowledged. */
export interface Requester {
  readonly userId: string;
  /** Null in a modal, on the Home tab and for a global shortcut. */
  readonly channelId: string | null;
  /** Of what was clicked or written. Null at the root. */
  readonly threadTs: string | null;
  /** Only to the person. */
  readonly reply: Reply;
}

export interface MessageInteraction extends Requester {
  readonly channelId: string;
  /** With Slack's markup, but without the mention of Notif itself. */
  readonly text: string;
  /** In the thread of a mention. In direct messages the same as `reply`. */
  readonly toEverybody: Reply;
}

/** Slack allows opening a form for it. */
export interface Interaction extends Requester {
  /** Where a form that is submitted later can be answered for half an hour. Null if there is no channel. */
  readonly answerUrl: string | null;
  /** Slack allows it once, within three seconds: before any other I/O. Rejects with Slack's error. */
  openModal(view: ModalView): Promise<Modal>;
}

export interface Modal {
  /** 'closed': by the person. Rejects with Slack's error. */
  update(view: ModalView): Promise<'shown' | 'closed'>;
}

/** Of a command or a shortcut. */
export interface CommandInteraction extends Interaction {
  /** What follows the command's name, or that of the shortcut's message (`textsIn`). */
  readonly text: string;
  /** Of a command's list, by a button. */
  readonly page?: ListPage | undefined;
}

export interface ActionInteraction extends Interaction {
  /** The clicked button's value or the chosen option's. '' if there is none. */
  readonly value: string;
  readonly blockId: string;
  /** Null for a message and for the Home tab. */
  readonly modal: (Modal & FilledView) | null;
}

export interface FilledView extends FilledForm {
  readonly id: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** What a field was drawn with. Null if it was empty. */
  initialIn(blockId: string): string | null;
}

/** `reply` is the form if it stays open, else `outside`. */
export interface SubmissionInteraction extends Interaction {
  readonly view: FilledView;
  /** If it stays open. */
  readonly modal: Modal;
  /** Where the form was requested or, if Slack refuses that, in direct messages. */
  readonly outside: Reply;
}
