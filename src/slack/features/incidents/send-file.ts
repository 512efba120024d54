import { WebAPIPlatformError, type WebClient } from '@slack/web-api';

export interface PersonalFile {
  readonly name: string;
  readonly title: string;
  readonly content: AsyncIterable<string>;
}

/** To the person's direct messages with Notif. Returns Slack's error code if it doesn't take the file, else null. */
export async function sendFile(
  userId: string,
  { name, title, content }: PersonalFile,
  client: WebClient,
): Promise<string | null> {
  // Slack requires the length before the first byte, so the whole file is in memory; its creator keeps it small.
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  try {
    const { channel } = await client.conversations.open({ users: userId });
    if (channel?.id === undefined) throw new Error('the answer to conversations.open names no channel');
    await client.files.uploadV2({ file: Buffer.concat(chunks), filename: name, title, channel_id: channel.id });
    return null;
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return error.data.error;
    throw error;
  }
}
