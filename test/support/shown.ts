import type { OpenView, PostedFile, PostedMessage } from '../../sandbox/slack/page-protocol.ts';
import type { Spot } from '../../sandbox/slack/workspace/hands.ts';
import { asRead, wordsOf } from './reading.ts';

/** A message or modal as a person sees it at a moment. */
export interface Shown {
  readonly spot: Spot;
  /** All its readable text, as `wordsOf` returns it. */
  readonly words: string;
}

export interface ShownMessage extends Shown {
  readonly spot: { readonly channel: string; readonly ts: string };
  /** The parent message of its thread; null if it is in none. */
  readonly threadTs: string | null;
  /** The ID of the only person who sees it; null if everybody does. */
  readonly onlyFor: string | null;
  readonly edited: boolean;
  /** The number of edits, silent or not. */
  readonly edits: number;
  /** Whether it has mentioned the person, with a sound and a badge. */
  readonly mentionsMe: boolean;
  readonly files: readonly PostedFile[];
  /** The text for screen readers and notifications. */
  readonly fallbackText: string;
}

export interface ShownModal extends Shown {
  readonly spot: { readonly viewId: string };
}

/** A file that a person has opened. */
export interface ReadFile extends PostedFile {
  readonly text: string;
}

/** Returns what a person sees of a message. */
export function shownMessage(message: PostedMessage, channel: string): ShownMessage {
  const { ts, threadTs, onlyVisibleTo, edited, edits, mentionsMe, files, text } = message;
  const words = wordsOf(message);
  return {
    spot: { channel, ts },
    words,
    threadTs,
    onlyFor: onlyVisibleTo,
    edited,
    edits,
    mentionsMe,
    files,
    fallbackText: asRead(text),
  };
}

/** Returns what a person sees of a modal. */
export function shownModal(view: OpenView): ShownModal {
  return { spot: { viewId: view.id }, words: wordsOf(view) };
}
