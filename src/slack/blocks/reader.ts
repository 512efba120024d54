import type { KnownBlock } from '@slack/types';
import type { Audience } from '../../domain/text/audience.ts';
import { context } from './blocks.ts';
import { mrkdwn, person } from './text.ts';

/** The readers of an answer: one person in a channel, one in a modal (which has no channel to share to), or everybody. */
export type Reader =
  | { readonly is: 'person' }
  | { readonly is: 'in-modal' }
  | { readonly is: 'channel'; readonly sharedBy: string };

/** The reader of an answer that only the person sees who asked for it. */
export const REQUESTER: Reader = { is: 'person' };

/** Returns the reader of a reply to a person. `share` is null if nobody else is there. */
export function readerOf({ share }: { readonly share: unknown }): Reader {
  return share === null ? { is: 'in-modal' } : REQUESTER;
}

export function audienceOf(reader: Reader): Audience {
  return reader.is === 'channel' ? 'everyone' : 'requester';
}

/** Returns what ends an answer: its buttons for one person; for everybody, who shared it. */
export function footFor(reader: Reader, buttons: readonly KnownBlock[]): readonly KnownBlock[] {
  return reader.is === 'channel' ? sharedLine(reader) : buttons;
}

/** Says to everybody who shared an answer. */
export function sharedLine(reader: Reader): KnownBlock[] {
  return reader.is === 'channel' ? [context(mrkdwn`Shared by ${person(reader.sharedBy)}`)] : [];
}
