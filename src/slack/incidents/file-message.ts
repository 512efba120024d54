import type { MessageContent } from '../blocks/blocks.ts';
import { sentence } from '../blocks/blocks.ts';
import { code, type Markup, mrkdwn } from '../blocks/text.ts';

/** Says where the file is. */
export const FILE_SENT = sentence(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`);

/** Why there is no file. */
export type NoFile =
  /** What the Slack app was not granted. */
  | { readonly is: 'not-granted'; readonly scope: string }
  /** Slack's error code. */
  | { readonly is: 'refused'; readonly word: string };

/** Explains why there is no file, and the alternative. */
export function noFileMessage(why: NoFile): MessageContent {
  return sentence(mrkdwn`⚠️ The file can't be sent: ${reasonWords(why)} Until then the pages above show everybody.`);
}

function reasonWords(why: NoFile): Markup {
  if (why.is === 'not-granted') {
    return mrkdwn`the Slack app wasn't granted ${code(why.scope)}. Reinstall the app from manifest.yml.`;
  }
  if (OFF.has(why.word)) {
    return mrkdwn`file uploads are turned off or restricted in this workspace (${code(why.word)}). Ask its administrators to allow them.`;
  }
  return mrkdwn`Slack doesn't accept files in your direct messages with Notif (${code(why.word)}). Ask your workspace's administrators.`;
}

/** Slack's error codes for a workspace that restricts files. */
const OFF = new Set(['file_uploads_disabled', 'file_uploads_except_images_disabled', 'file_type_not_allowed']);
