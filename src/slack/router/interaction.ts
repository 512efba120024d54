import type { ModalView } from '@slack/types';
import type { FilledForm } from '../kit/inputs.ts';
import type { Reply } from './replies/reply.ts';

/** What they did is already acknowledged. */
export interface Requester {
  readonly userId: string;
  /** Where it was done. Null in a modal, on the Home tab and for a global shortcut, which have no channel. */
  readonly channelId: string | null;
  /** Where in the channel to answer everybody: the thread of what was clicked or written. Null at the root, and if there is no channel. */
  readonly threadTs: string | null;
  readonly reply: Reply;
}

export interface MessageInteraction extends Requester {
  readonly channelId: string;
  /** With Slack's markup, but without the mention of Notif itself. */
  readonly text: string;
  /** Answers only the person, near their message. `reply` answers everybody there, or the same way if its route's `isForOne` says so. */
  readonly aside: Reply;
}

/** `reply` answers on the Home tab. */
export interface HomeInteraction extends Requester {
  readonly tab: 'home' | 'messages';
}

/** Slack allows opening a form for it. */
export interface Interaction extends Requester {
  /** Where a form that is submitted later can be answered for half an hour, including the thread. Null if there is no channel. */
  readonly answerUrl: string | null;
  /**
   * Opens a modal, on top of the current one if there is one. Slack allows that once, within three seconds after the interaction, so it
   * must come before any other I/O. Rejects with Slack's error.
   */
  openModal(view: ModalView): Promise<Modal>;
}

export interface Modal {
  /** Returns 'closed' if the person has closed it meanwhile: important answers must then go elsewhere. Rejects with Slack's error. */
  update(view: ModalView): Promise<'shown' | 'closed'>;
}

export interface CommandInteraction extends Interaction {
  /** What follows the command's name. */
  readonly text: string;
}

export interface ShortcutInteraction extends Interaction {
  /** The text of the message on which it was chosen (`textsIn`). '' for a global shortcut. */
  readonly messageText: string;
}

export interface ActionInteraction extends Interaction {
  /** The clicked button's value or the chosen option's. '' if there is none. */
  readonly value: string;
  readonly blockId: string;
  /** Null for a message and for the Home tab. */
  readonly modal: FilledModal | null;
}

export interface FilledModal extends Modal, FilledView {}

export interface FilledView extends FilledForm {
  readonly id: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** Null if it was empty. */
  initialIn(blockId: string): string | null;
  /** Rebuilds the form, keeping what Notif had put in fields that stay and that nobody changed. */
  carried(next: ModalView): ModalView;
}

export interface SubmissionInteraction extends Interaction {
  readonly view: FilledView;
  /** If it stays open. */
  readonly modal: Modal;
  /**
   * Answers a person whose form has closed: where they requested it or, if Slack refuses that, in their direct messages. Slack refuses those
   * too if they are turned off; then the answer is a new modal, if Slack still allows one. `reply` is this, unless the form stays open.
   */
  readonly outside: Reply;
}

export interface OptionsQuery {
  readonly typed: string;
  readonly blockId: string;
}
