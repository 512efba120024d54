import type { Conversation } from '../page-protocol.ts';

/** Returns why nobody can write in a conversation, or null. */
export function reasonForSilence({ isArchived, takesMessages }: Conversation): string | null {
  if (isArchived) return 'This channel is archived: nobody can write in it.';
  return takesMessages
    ? null
    : 'Sending messages to this app has been turned off: its manifest makes this tab read-only.';
}
