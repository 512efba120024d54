import { WebAPIPlatformError, type WebClient } from '@slack/web-api';

/** A file for a conversation. */
export interface UploadedFile {
  readonly name: string;
  readonly title: string;
  readonly content: Buffer;
  /** What a picture shows, in words, in at most 1,000 characters. */
  readonly altText?: string;
  /** What the message with the file says, in mrkdwn. */
  readonly comment?: string;
}

/** Uploads a file into a conversation, as a message for all who are in it. Rejects with Slack's error. */
export async function uploadFile(
  { channelId, threadTs }: { readonly channelId: string; readonly threadTs: string | null },
  { name, title, content, altText, comment }: UploadedFile,
  client: WebClient,
): Promise<void> {
  const file = { file: content, filename: name, title };
  const words = {
    ...(altText !== undefined && { alt_text: altText }),
    ...(comment !== undefined && { initial_comment: comment }),
  };
  await (threadTs === null
    ? client.files.uploadV2({ ...file, ...words, channel_id: channelId })
    : client.files.uploadV2({ ...file, ...words, channel_id: channelId, thread_ts: threadTs }));
}

/** The conversation of a person with Notif. Rejects with Slack's error. */
export async function directMessagesWith(userId: string, client: WebClient): Promise<string> {
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
  return channel.id;
}

/** The scope that the Slack app lacks, which an administrator can add; null where an error is about something else. */
export function missingScope(error: unknown): string | null {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return null;
  return 'needed' in error.data ? String(error.data.needed) : 'files:write';
}

/** Why a conversation takes no file of Notif's (pages of `files.getUploadURLExternal` and `files.completeUploadExternal`). */
const CLOSED: ReadonlySet<string> = new Set([
  ...['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action', 'posting_to_channel_denied'],
  ...['file_uploads_disabled', 'file_uploads_except_images_disabled', 'file_type_not_allowed', 'access_denied'],
]);

/** Slack's word for why a file can't be in a conversation; null where an error is about something else. */
export function closedTo(error: unknown): string | null {
  if (!(error instanceof WebAPIPlatformError)) return null;
  return CLOSED.has(error.data.error) ? error.data.error : null;
}
