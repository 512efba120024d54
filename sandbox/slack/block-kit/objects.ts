import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { BOT, TEAM } from '../seed.ts';
import type { Message } from '../state.ts';
import type { View } from '../views.ts';
import { withEscapes } from './fields.ts';

/** Returns a part of a view or message as Slack echoes it to apps: escaped, but for mrkdwn's markup (slackapi/bolt-python #513). */
export function echoed(part: Json): Json {
  if (typeof part.text === 'string' && part.type === 'plain_text') return { ...part, text: escapedOnce(part.text) };
  if (typeof part.text === 'string' && part.type === 'mrkdwn') return { ...part, text: withBareAmpersands(part.text) };
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, echoedValue(value)]));
}

function echoedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(echoedValue);
  return isJson(value) ? echoed(value) : value;
}

const ESCAPES_AND_OTHERS = /(&(?:amp|lt|gt);)|[&<>]/g;

function escapedOnce(text: string): string {
  return text.replace(ESCAPES_AND_OTHERS, (character, entity?: string) => entity ?? withEscapes(character));
}

const withBareAmpersands = (text: string): string => text.replace(/&(?!(?:amp|lt|gt);)/g, '&amp;');

/** Returns a message as Slack shows it to apps: in answers of chat.*, in history and in interaction payloads; without metadata. */
export function messageObject(message: Message): Json {
  const { author, ts, text, blocks, files, threadTs, edited } = message;
  return {
    type: 'message',
    user: author,
    ts,
    text,
    team: TEAM.id,
    ...(author === BOT.userId && { bot_id: BOT.botId }),
    ...(blocks.length > 0 && { blocks: blocks.map(echoed) }),
    ...(files.length > 0 && { files }),
    ...(threadTs !== null && { thread_ts: threadTs }),
    ...(edited && { edited: { user: author, ts } }),
  };
}

export function viewObject({ id, view: shown }: View, values: Json = {}): Json {
  const view = echoed(shown);
  return {
    id,
    type: view.type,
    blocks: view.blocks,
    state: { values: echoed(values) },
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
  };
}
