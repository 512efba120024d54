import type { WebClient } from '@slack/web-api';
import { directMessagesWith, type NoUpload, uploadFile, whyNotUploaded } from '../../router/replies/upload-file.ts';

export interface PersonalFile {
  readonly name: string;
  readonly title: string;
  readonly content: AsyncIterable<string>;
}

/** Returns why Slack doesn't take the file, or null. Rejects with Slack's error unless it's about a scope or files. */
export async function sendFile(userId: string, file: PersonalFile, client: WebClient): Promise<NoUpload | null> {
  const content = await bytesOf(file.content);
  const sending = directMessagesWith(userId, client).then((channelId) =>
    uploadFile(channelId, { ...file, content }, client),
  );
  return whyNotUploaded(sending);
}

/** Slack requires the length before the first byte, so the whole file is in memory; its creator keeps it small. */
async function bytesOf(content: AsyncIterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
