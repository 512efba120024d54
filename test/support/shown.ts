import type { OpenView, PostedFile, PostedMessage } from '../../sandbox/slack/page-protocol.ts';
import type { Spot } from '../../sandbox/slack/workspace/hands.ts';
import { asRead, wordsOf } from './reading.ts';

/** A message as somebody sees it at a moment, or a modal. */
export interface Shown {
  readonly spot: Spot;
  /** All that can be read there, as `wordsOf` reads it. */
  readonly words: string;
}

export interface ShownMessage extends Shown {
  readonly spot: { readonly channel: string; readonly ts: string };
  /** The message whose thread it is in; null in none. */
  readonly threadTs: string | null;
  /** The id of the only person who sees it; null where everybody does. */
  readonly onlyFor: string | null;
  readonly edited: boolean;
  /** How often it was changed, silently or not. */
  readonly edits: number;
  /** It has mentioned anyone who looks, which made a sound and a mark. */
  readonly mentionsMe: boolean;
  readonly files: readonly PostedFile[];
  /** What a screen reader and a notification say. */
  readonly fallbackText: string;
}

export interface ShownModal extends Shown {
  readonly spot: { readonly viewId: string };
}

/** A file that somebody has opened. */
export interface ReadFile extends PostedFile {
  readonly text: string;
}

/** What a person sees of a message. */
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

/** What a person sees of a modal. */
export function shownModal(view: OpenView): ShownModal {
  return { spot: { viewId: view.id }, words: wordsOf(view) };
}
