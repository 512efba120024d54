import type { WebClient } from '@slack/web-api';
import type { Sharing } from '../../domain/access/shared-channel.ts';
import type { Requester } from '../interactions/interaction.ts';
import { isDirect } from '../interactions/replies/reply.ts';
import {
  directMessagesWith,
  type UploadedFile,
  uploadFile,
  whyNotUploaded,
} from '../interactions/replies/upload-file.ts';
import type { NoPicture } from './chart-message.ts';

export interface SendChartParts {
  readonly client: WebClient;
  readonly channels: {
    /** Returns whether people from another organization can see a conversation. Never rejects. */
    sharing(channel: string): Promise<Sharing>;
  };
}

/** Where a chart was posted. `reason`: why not where it was requested; null if that isn't a conversation. */
export type ChartSent =
  | { readonly is: 'here' }
  | { readonly is: 'in direct messages'; readonly reason: NoPicture | null }
  | { readonly is: 'nowhere'; readonly reason: NoPicture };

/**
 * Posts a chart where it was requested, for everyone there. If that is impossible, or people from another organization would see it, posts
 * it in the person's direct messages. Rejects with Slack's other errors.
 */
export async function sendChart(
  fileFor: (isForOne: boolean) => UploadedFile,
  { userId, channelId, threadTs }: Pick<Requester, 'userId' | 'channelId' | 'threadTs'>,
  { client, channels }: SendChartParts,
): Promise<ChartSent> {
  const upload = (place: { readonly channelId: string; readonly threadTs: string | null }) =>
    uploadFile(place, fileFor(isDirect(place.channelId)), client);
  let reason: NoPicture | null = null;
  if (channelId !== null) {
    const sharing = isDirect(channelId) ? 'none' : await channels.sharing(channelId);
    reason = sharing === 'none' ? await whyNotUploaded(upload({ channelId, threadTs })) : { why: 'shared', sharing };
    if (reason === null) return { is: 'here' };
    if (reason.why === 'not-granted') return { is: 'nowhere', reason };
  }
  const direct = directMessagesWith(userId, client).then((conversation) =>
    upload({ channelId: conversation, threadTs: null }),
  );
  const directReason = await whyNotUploaded(direct);
  if (directReason === null) return { is: 'in direct messages', reason };
  return { is: 'nowhere', reason: reason ?? directReason };
}
