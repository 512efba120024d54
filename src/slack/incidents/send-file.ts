import { WebAPIPlatformError, type WebClient } from '@slack/web-api';

export interface PersonalFile {
  readonly name: string;
  readonly title: string;
  readonly content: AsyncIterable<string>;
}

export type FileOutcome =
  | { readonly is: 'sent' }
  /** The Slack app lacks a scope, which an administrator can add. */
  | { readonly is: 'not-granted'; readonly scope: string };

/** Sends a file to somebody's direct messages with the bot. Rejects with Slack's error for what is not about a scope. */
export async function sendFile(userId: string, file: PersonalFile, client: WebClient): Promise<FileOutcome> {
  const content = await bytesOf(file.content);
  try {
    const { channel } = await client.conversations.open({ users: userId });
    if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
    await client.files.uploadV2({ channel_id: channel.id, file: content, filename: file.name, title: file.title });
    return { is: 'sent' };
  } catch (error) {
    const scope = missingScope(error);
    if (scope === null) throw error;
    return { is: 'not-granted', scope };
  }
}

/** Slack wants to know the length before the first byte: the whole file is in memory, its maker sees to it that it is not too much. */
async function bytesOf(content: AsyncIterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function missingScope(error: unknown): string | null {
  if (!(error instanceof WebAPIPlatformError) || error.data.error !== 'missing_scope') return null;
  return 'needed' in error.data ? String(error.data.needed) : 'files:write';
}
