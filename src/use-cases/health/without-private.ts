import type { Channels } from '../ports/channels.ts';

/** Leaves out which private channels mutes are in, since the reader might not be a member. */
export function withoutPrivate<Muted extends { readonly channel: string | null }>(
  mutes: readonly Muted[],
  channels: Pick<Channels, 'isPublic'>,
): Promise<Muted[]> {
  return Promise.all(
    mutes.map(async (mute) => {
      const isPublic = mute.channel !== null && (await channels.isPublic(mute.channel));
      return isPublic ? mute : { ...mute, channel: null };
    }),
  );
}
