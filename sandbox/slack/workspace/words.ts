import { textsIn } from '../block-kit/controls.ts';
import type { OpenView, PostedMessage } from '../page-protocol.ts';

/** Everything that a message or a view says, in reading order, a line for each piece of text: for a test to look in. */
export function wordsOf(shown: MessageWords | OpenView): string {
  const parts =
    'view' in shown
      ? [shown.view]
      : [{ text: shown.text }, shown.blocks, shown.attachments, shown.files.map(({ name }) => ({ text: name }))];
  return textsIn(parts).join('\n');
}

/** The part of a message that can be read. */
type MessageWords = Pick<PostedMessage, 'text' | 'blocks' | 'attachments' | 'files'>;
