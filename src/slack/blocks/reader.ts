import type { Audience } from '../../domain/text/audience.ts';

/** The readers of an answer: one person in a channel, one in a modal (which has no channel to share to), or everybody. */
export type Reader =
  | { readonly is: 'person' }
  | { readonly is: 'in-modal' }
  | { readonly is: 'channel'; readonly sharedBy: string };

export function audienceOf(reader: Reader): Audience {
  return reader.is === 'channel' ? 'everyone' : 'requester';
}
