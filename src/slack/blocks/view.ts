import type { KnownBlock, ModalView, TableBlock } from '@slack/types';
import { InputError } from '../../domain/errors.ts';
import { type MessageContent, section } from './blocks.ts';
import { PRIVATE_METADATA, VIEW_TITLE } from './limits.ts';
import { lineSections } from './line-sections.ts';
import { bold, joined, type Markup, mrkdwn, plain } from './text.ts';

const CLOSE = plain('Close', VIEW_TITLE);

/** Builds a modal that only shows something. Its blocks can be a message's. */
export function resultView({ blocks }: Pick<MessageContent, 'blocks'>, title = 'Notif'): ModalView {
  return { type: 'modal', title: plain(title, VIEW_TITLE), close: CLOSE, blocks: blocks.flatMap(inModal) };
}

/** Slack accepts tables in messages only ("Table block"), so a modal gets their rows as lines. */
function inModal(block: KnownBlock): KnownBlock[] {
  return block.type === 'table' ? lineSections(linesOf(block)) : [block];
}

/** 'context · tenant:acme · 48 · 100%', the headings in bold. */
function linesOf({ rows }: TableBlock): Markup[] {
  const texts = rows.map((row) => row.flatMap((cell) => (cell.type === 'raw_text' ? [cell.text] : [])));
  const lines = texts.map((cells) =>
    joined(
      cells.filter((text) => text !== EMPTY_CELL).map((text) => mrkdwn`${text}`),
      ' · ',
    ),
  );
  return lines.map((line, row) => (row === 0 ? bold(line) : line));
}

/** What `plain` makes of an empty text. */
const EMPTY_CELL = plain('', VIEW_TITLE).text;

/** Builds the modal that is shown while its content loads. */
export function waitingView(title: string, text: Markup): ModalView {
  return resultView({ blocks: [section(text)] }, title);
}

/** The parts of a modal with a form. */
export interface Form {
  readonly callbackId: string;
  readonly title: string;
  readonly submit: string;
  readonly blocks: readonly KnownBlock[];
  /** Slack returns it with the submission. */
  readonly privateMetadata: string;
}

/** Builds a modal with a form. Throws `InputError` if what the form is about is too long for Slack. */
export function formView({ callbackId, title, submit, blocks, privateMetadata }: Form): ModalView {
  if (privateMetadata.length > PRIVATE_METADATA)
    throw new InputError(
      'form',
      'An ID or a name is too long for a form in Slack.',
      null,
      'Look it up by a shorter ID.',
    );
  return {
    ...resultView({ blocks }, title),
    callback_id: callbackId,
    submit: plain(submit, VIEW_TITLE),
    close: plain('Cancel', VIEW_TITLE),
    private_metadata: privateMetadata,
  };
}
