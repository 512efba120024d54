import type { KnownBlock } from '@slack/types';
import type { Audience } from '../../domain/text/audience.ts';
import { context } from './blocks.ts';
import { mrkdwn, person } from './text.ts';

/** The readers of an answer: one person in a channel, one in a modal or in direct messages (where nobody is to share with), or everybody. */
export type Reader =
  | { readonly is: 'person' }
  | { readonly is: 'alone' }
  | { readonly is: 'channel'; readonly sharedBy: string };

/** The reader of an answer that only the person sees who asked for it. */
export const REQUESTER: Reader = { is: 'person' };

/** Returns the reader of a reply to a person. `share` is null if nobody else is there. */
export function readerOf({ share }: { readonly share: unknown }): Reader {
  return share === null ? { is: 'alone' } : REQUESTER;
}

export function audienceOf(reader: Reader): Audience {
  return reader.is === 'channel' ? 'everyone' : 'requester';
}

/** Returns whether an answer has [Share]: there must be others to share it with. */
export function canShare(reader: Reader): boolean {
  return reader.is === 'person';
}

/** Returns what ends an answer: its buttons for one person; for everybody, who shared it. */
export function footFor(reader: Reader, buttons: readonly KnownBlock[]): readonly KnownBlock[] {
  return reader.is === 'channel' ? sharedLine(reader) : buttons;
}

/** Says to everybody who shared an answer. */
export function sharedLine(reader: Reader): KnownBlock[] {
  return reader.is === 'channel' ? [context(mrkdwn`Shared by ${person(reader.sharedBy)}`)] : [];
}
