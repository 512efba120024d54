import { textsIn } from '../block-kit/controls.ts';
import type { OpenView, PostedMessage } from '../page-protocol.ts';

/** Returns every text of a message or view in reading order, a line for each, for a test to search. */
export function wordsOf(shown: MessageWords | OpenView): string {
  const parts =
    'view' in shown
      ? [shown.view]
      : [{ text: shown.text }, shown.blocks, shown.files.map(({ name }) => ({ text: name }))];
  return textsIn(parts).join('\n');
}

/** The readable part of a message. */
type MessageWords = Pick<PostedMessage, 'text' | 'blocks' | 'files'>;
