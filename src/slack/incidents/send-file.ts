import type { WebClient } from '@slack/web-api';
import { closedTo, directMessagesWith, missingScope, uploadFile } from '../interactions/replies/upload-file.ts';

export interface PersonalFile {
  readonly name: string;
  readonly title: string;
  readonly content: AsyncIterable<string>;
}

export type FileOutcome =
  | { readonly is: 'sent' }
  /** The Slack app lacks a scope, which an administrator can add. */
  | { readonly is: 'not-granted'; readonly scope: string }
  /** Slack takes no file there: its error code. */
  | { readonly is: 'refused'; readonly word: string };

/** Sends a file to a person's direct messages with Notif. Rejects with Slack's error unless it's about a scope or files. */
export async function sendFile(userId: string, file: PersonalFile, client: WebClient): Promise<FileOutcome> {
  const content = await bytesOf(file.content);
  try {
    const place = { channelId: await directMessagesWith(userId, client), threadTs: null };
    await uploadFile(place, { ...file, content }, client);
    return { is: 'sent' };
  } catch (error) {
    const scope = missingScope(error);
    if (scope !== null) return { is: 'not-granted', scope };
    const word = closedTo(error);
    if (word === null) throw error;
    return { is: 'refused', word };
  }
}

/** Slack requires the length before the first byte, so the whole file is in memory; its creator keeps it small. */
async function bytesOf(content: AsyncIterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
