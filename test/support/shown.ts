import type { OpenView, PostedFile, PostedMessage } from '../../sandbox/slack/page-protocol.ts';
import type { Spot } from '../../sandbox/slack/workspace/hands.ts';
import { wordsOf } from './reading.ts';

export interface Shown {
  spot: Spot;
  /** All its readable text, as `wordsOf` returns it. */
  words: string;
}

export interface ShownMessage extends Shown {
  spot: { channel: string; ts: string };
  threadTs: string | null;
  onlyFor: string | null;
  /** Whether it has mentioned the person, with a sound and a badge. */
  mentionsMe: boolean;
  files: readonly PostedFile[];
}

export interface ShownModal extends Shown {
  spot: { viewId: string };
}

export interface ReadFile extends PostedFile {
  text: string;
}

export function shownMessage(message: PostedMessage, channel: string): ShownMessage {
  const { ts, threadTs, onlyVisibleTo, mentionsMe, files } = message;
  const words = wordsOf(message);
  return { spot: { channel, ts }, words, threadTs, onlyFor: onlyVisibleTo, mentionsMe, files };
}

export const shownModal = (view: OpenView): ShownModal => ({ spot: { viewId: view.id }, words: wordsOf(view) });
