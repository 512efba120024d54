import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { code, type Markup } from './text.ts';

/** An id in code style, with the contacts in it masked unless only the requester sees it. */
export function idCode(id: string, audience: Audience, longest?: number): Markup {
  return code(shownId(id, audience), longest);
}

/** The audience of what one person asked for, or shared with a channel. */
export function audienceOf(sharedBy: string | null): Audience {
  return sharedBy === null ? 'requester' : 'everyone';
}
