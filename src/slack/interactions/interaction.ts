import type { ModalView } from '@slack/types';
import type { Reply } from './replies/reply.ts';

/** Somebody who did something in Slack, which is acknowledged already, and the ways to answer. */
export interface Requester {
  readonly userId: string;
  /** Where it was done; null in a modal, on the Home tab and for a global shortcut, which know no channel. */
  readonly channelId: string | null;
  /** Where in the channel an answer for everybody belongs: the thread of what was clicked or written; null at the root, and where there is no channel. */
  readonly threadTs: string | null;
  readonly reply: Reply;
}

/** What somebody wrote to Notif: in a channel, by its mention, or in their direct message. */
export interface MessageInteraction extends Requester {
  readonly channelId: string;
  /** With Slack's markup; without the mention of Notif itself. */
  readonly text: string;
  /** The texts to look for ids in, the first that names any counts: the person's own words, then those with what they forwarded or attached. */
  readonly texts: readonly string[];
  /** What the message says that their thread is below, asked of Slack; null where they wrote in none. Never rejects. */
  readonly parentText: (() => Promise<string>) | null;
  /** Answers the person alone, near what they wrote; `reply` answers everybody there. */
  readonly aside: Reply;
}

/** Somebody looks at Notif's Home tab or at its messages. `reply` shows on the Home tab. */
export interface HomeInteraction extends Requester {
  readonly tab: 'home' | 'messages';
}

/** A command, a click, a form: something for which Slack lets a form be opened. */
export interface Interaction extends Requester {
  /** Where an answer can be given for half an hour, its thread included, for a form that is submitted later; null where there is no channel. */
  readonly answerUrl: string | null;
  /**
   * Opens a modal, upon the one that was acted in if there is one. Slack allows that once, for three seconds after the interaction:
   * before any other I/O. Rejects with Slack's error.
   */
  openModal(view: ModalView): Promise<Modal>;
}

/** A modal that somebody looks at. */
export interface Modal {
  /** 'closed' where the person has closed it meanwhile: what has to be known goes elsewhere then. Rejects with Slack's error. */
  update(view: ModalView): Promise<'shown' | 'closed'>;
}

export interface CommandInteraction extends Interaction {
  /** What stands behind the command's name. */
  readonly text: string;
}

export interface ShortcutInteraction extends Interaction {
  /** What the message that it was chosen on says (`textsIn`); '' for a global shortcut. */
  readonly messageText: string;
}

export interface ActionInteraction extends Interaction {
  /** The clicked button's value or the chosen option's; '' where there is none. */
  readonly value: string;
  /** The id of the block in which it stands. */
  readonly blockId: string;
  /** The modal that it was done in; null for a message and for the Home tab. */
  readonly modal: FilledModal | null;
}

export interface FilledModal extends Modal, FilledView {}

/** A modal with what was filled in so far. */
export interface FilledView {
  readonly id: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** What is in an input block: text, the value of the chosen option, a person's id, a time as HH:mm; null where nothing does. */
  valueIn(blockId: string): string | null;
  /** All that was chosen in an input block of which several can be. */
  valuesIn(blockId: string): readonly string[];
  /** What stood in a text field when it was drawn; null where nothing did. */
  initialIn(blockId: string): string | null;
  /** Another drawing of the same form, with what Notif had put in the fields that stay and nobody changed, as after [Restore]. */
  carried(next: ModalView): ModalView;
  /** The ids of the blocks that can be filled in. */
  readonly blockIds: readonly string[];
}

export interface SubmissionInteraction extends Interaction {
  readonly view: FilledView;
  /** The modal, where it stays open: what it shows next. */
  readonly modal: Modal;
  /** The ways to answer where the form was asked for. */
  replyAt(answerUrl: string): Reply;
  /** The person's direct messages, for what must be said though the modal was closed. */
  readonly direct: Reply;
}

/** What somebody typed in a select whose options Notif knows. */
export interface OptionsQuery {
  readonly typed: string;
  readonly blockId: string;
}
