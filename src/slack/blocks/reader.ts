import type { KnownBlock } from '@slack/types';
import type { Audience } from '../../domain/text/audience.ts';
import { context } from './blocks.ts';
import { mrkdwn, person } from './text.ts';

/** The readers of an answer: one person in a channel, one in a modal or in direct messages (where nobody is to share with), or everybody. */
export type Reader =
  | { readonly is: 'person' }
  | { readonly is: 'alone' }
  | { readonly is: 'channel'; readonly sharedBy: string };

export const REQUESTER: Reader = { is: 'person' };

/** `share` is null if nobody else is there. */
export function readerOf({ share }: { readonly share: unknown }): Reader {
  return share === null ? { is: 'alone' } : REQUESTER;
}

export function audienceOf(reader: Reader): Audience {
  return reader.is === 'channel' ? 'everyone' : 'requester';
}

/** There must be others to share it with. */
export function canShare(reader: Reader): boolean {
  return reader.is === 'person';
}

export function footFor(reader: Reader, buttons: readonly KnownBlock[]): readonly KnownBlock[] {
  return reader.is === 'channel' ? sharedLine(reader) : buttons;
}

export function sharedLine(reader: Reader): KnownBlock[] {
  return reader.is === 'channel' ? [context(mrkdwn`Shared by ${person(reader.sharedBy)}`)] : [];
}
