import { isJson } from '../../sandbox/slack/json.ts';
import type { Inline } from '../../sandbox/slack/page/text/inline.ts';
import { parseMrkdwn } from '../../sandbox/slack/page/text/mrkdwn.ts';
import type { OpenView, PostedMessage } from '../../sandbox/slack/page-protocol.ts';

/** All that a reader sees of a message or modal, buttons, filled in fields and names of files included, a line for each piece of text. */
export function wordsOf(shown: MessageWords | OpenView): string {
  if ('view' in shown) return textsIn(shown.view).join('\n');
  const texts = textsIn([shown.blocks, shown.attachments]);
  const names = shown.files.map(({ name }) => name);
  return [...(texts.length > 0 ? texts : [asRead(shown.text)]), ...names].filter((text) => text !== '').join('\n');
}

/** The part of a message that can be read. */
type MessageWords = Pick<PostedMessage, 'text' | 'blocks' | 'attachments' | 'files'>;

/**
 * Markup as somebody reads it: without its signs, and with what Slack would make of the rest in angle brackets ⟨⟩: mentions,
 * links, broadcasts. Whatever came from outside must never get such brackets.
 */
export function asRead(mrkdwn: string): string {
  return parseMrkdwn(mrkdwn, false)
    .map(({ children }) => children.map(inlineAsRead).join(''))
    .join('\n');
}

function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJson(value)) return [];
  const { type, text, initial_value: filledIn, ...others } = value;
  if (typeof text === 'string') return [type === 'mrkdwn' ? asRead(text) : text];
  const own = typeof filledIn === 'string' ? [filledIn] : [];
  return [...textsIn(text), ...own, ...Object.values(others).flatMap(textsIn)];
}

function inlineAsRead(inline: Inline): string {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'code':
      return inline.children.map(inlineAsRead).join('');
    case 'date':
      return inline.fallback;
    case 'emoji':
      return `:${inline.name}:`;
    case 'link':
      return `⟨${inline.label}: ${inline.url}⟩`;
    case 'broadcast':
      return `⟨@${inline.range}⟩`;
    case 'user':
    case 'channel':
    case 'usergroup':
      return `⟨${inline.kind} ${inline.id}⟩`;
  }
}
