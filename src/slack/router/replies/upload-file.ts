import { WebAPIPlatformError, type WebClient } from '@slack/web-api';

export interface UploadedFile {
  readonly name: string;
  readonly title: string;
  readonly content: Buffer;
}

/** For everyone in the conversation. Rejects with Slack's error. */
export async function uploadFile(
  channelId: string,
  { name, title, content }: UploadedFile,
  client: WebClient,
): Promise<void> {
  await client.files.uploadV2({ file: content, filename: name, title, channel_id: channelId });
}

/** Rejects with Slack's error. */
export async function directMessagesWith(userId: string, client: WebClient): Promise<string> {
  const { channel } = await client.conversations.open({ users: userId });
  if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
  return channel.id;
}

export type NoUpload =
  /** The Slack app lacks a scope, which an administrator can add. */
  | { readonly why: 'not-granted'; readonly scope: string }
  /** The conversation doesn't accept Notif's files: Slack's error code. */
  | { readonly why: 'closed'; readonly word: string };

/** Null once it's sent. Rejects with Slack's other errors. */
export async function whyNotUploaded(sending: Promise<void>): Promise<NoUpload | null> {
  try {
    await sending;
    return null;
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) throw error;
    const { error: word } = error.data;
    if (CLOSED.has(word)) return { why: 'closed', word };
    if (word !== 'missing_scope') throw error;
    return { why: 'not-granted', scope: 'needed' in error.data ? String(error.data.needed) : 'files:write' };
  }
}

/**
 * Slack's error codes for a conversation that doesn't accept Notif's files (pages of `files.getUploadURLExternal` and
 * `files.completeUploadExternal`).
 */
const CLOSED: ReadonlySet<string> = new Set([
  ...['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action', 'posting_to_channel_denied'],
  ...['file_uploads_disabled', 'file_uploads_except_images_disabled', 'file_type_not_allowed', 'access_denied'],
]);
