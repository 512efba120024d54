import { type MessageContent, sentence } from '../../kit/blocks.ts';
import { code, mrkdwn } from '../../kit/text.ts';

export const FILE_SENT = sentence(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`);

/** @param word Slack's error code. */
export function noFileMessage(word: string): MessageContent {
  const next =
    word === 'missing_scope'
      ? mrkdwn`Reinstall the Slack app from manifest.yml, which asks for ${code('files:write')}.`
      : mrkdwn`Ask your workspace's administrators whether files are allowed there.`;
  return sentence(
    mrkdwn`⚠️ Slack doesn't accept a file in your direct messages with Notif (${code(word)}). ${next} Until then the pages above show everybody.`,
  );
}
