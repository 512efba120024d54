import { type MessageContent, sentence } from '../../kit/blocks.ts';
import { code, type Markup, mrkdwn } from '../../kit/text.ts';
import type { NoUpload } from '../../router/replies/upload-file.ts';

export const FILE_SENT = sentence(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`);

export function noFileMessage(reason: NoUpload): MessageContent {
  return sentence(mrkdwn`⚠️ The file can't be sent: ${reasonWords(reason)} Until then the pages above show everybody.`);
}

function reasonWords(reason: NoUpload): Markup {
  if (reason.why === 'not-granted') {
    return mrkdwn`the Slack app wasn't granted ${code(reason.scope)}. Reinstall the app from manifest.yml.`;
  }
  if (OFF.has(reason.word)) {
    return mrkdwn`file uploads are turned off or restricted in this workspace (${code(reason.word)}). Ask its administrators to allow them.`;
  }
  return mrkdwn`Slack doesn't accept files in your direct messages with Notif (${code(reason.word)}). Ask your workspace's administrators.`;
}

/** Slack's error codes for a workspace that restricts files. */
const OFF = new Set(['file_uploads_disabled', 'file_uploads_except_images_disabled', 'file_type_not_allowed']);
