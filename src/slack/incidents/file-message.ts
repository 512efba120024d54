import type { MessageContent } from '../blocks/blocks.ts';
import { message, section } from '../blocks/blocks.ts';
import { code, type Markup, mrkdwn } from '../blocks/text.ts';

/** Says where the file is. */
export const FILE_SENT = answerWith(mrkdwn`📄 The list is in your direct messages with Notif, for you alone.`);

/** Explains why there is no file, and the alternative. `scope`: what the Slack app was not granted. */
export function noFileMessage(scope: string): MessageContent {
  return answerWith(
    mrkdwn`⚠️ The file can't be sent: the Slack app was not granted ${code(scope)}. Have it installed again from manifest.yml. Until then the pages above show everybody.`,
  );
}

function answerWith(words: Markup): MessageContent {
  return message(words, [section(words)]);
}
