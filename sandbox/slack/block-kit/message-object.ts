import type { Json } from '../page-protocol.ts';
import { BOT, TEAM } from '../seed.ts';
import type { Message } from '../state/messages.ts';
import { echoed } from './echo.ts';
import { fileObject } from './file-object.ts';

/** Returns a message as Slack shows it to apps: in answers of chat.*, in history and in interaction payloads; without metadata. */
export function messageObject(message: Message): Json {
  const isFromBot = message.author === BOT.userId;
  return {
    type: 'message',
    user: message.author,
    ...(isFromBot ? { bot_id: BOT.botId } : {}),
    ts: message.ts,
    text: message.text,
    team: TEAM.id,
    ...(message.blocks.length > 0 ? { blocks: message.blocks.map(echoed) } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments.map(echoed) } : {}),
    ...(message.files.length > 0 ? { files: message.files.map(fileObject) } : {}),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(message.edited ? { edited: { user: message.author, ts: message.ts } } : {}),
  };
}
