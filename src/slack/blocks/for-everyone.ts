import { MASK } from '../../domain/text/mask.ts';
import { maskedId } from '../../domain/text/shown-id.ts';
import type { MessageContent } from './blocks.ts';
import { parseValue } from './button-value.ts';

declare const FOR_EVERYONE: unique symbol;

/** A message that everyone in a channel can see. Whatever posts to a channel takes nothing else, and only `forEveryone` makes one. */
export type PublicContent = MessageContent & { readonly [FOR_EVERYONE]: true };

/**
 * A message without the contacts in it, wherever they come from, for everyone in a channel. Messages are made for their audience
 * (`domain/audience.ts`), so this changes nothing as a rule. A button or choice whose value is a contact is left out: its value is part of
 * the message.
 */
export function forEveryone({ text, blocks }: MessageContent): PublicContent {
  return { text: maskedText(text), blocks: masked(blocks) } as PublicContent;
}

/** What Slack doesn't show, or what `value` says better. */
const NOT_TEXT = new Set(['type', 'action_id', 'block_id', 'url', 'style']);

function masked<Value>(value: Value): Value;
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map(masked).filter((one) => one !== GONE && !isEmpty(one));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  if (fields.some(([key, one]) => key === 'value' && typeof one === 'string' && hasContact(one))) return GONE;
  const kept = fields.map(([key, one]) => [key, NOT_TEXT.has(key) ? one : masked(one)]);
  return Object.fromEntries(kept.filter(([, one]) => one !== GONE));
}

const GONE = Symbol('left out');

/** Slack refuses a row of buttons or a select without any. */
function isEmpty(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false;
  return ['elements', 'options'].some((key) => {
    const items: unknown = Reflect.get(block, key);
    return Array.isArray(items) && items.length === 0;
  });
}

function hasContact(value: string): boolean {
  const parts = parseValue(value) ?? [value];
  return parts.some((part) => maskedId(part) !== part);
}

/** The same of a text that is no message: what is written in a picture, or describes it. */
export function textForEveryone(text: string): string {
  return maskedText(text);
}

/** Slack's own tokens hold ids and times of Slack; lines, and what is set off by marks, are looked at one by one. */
function maskedText(text: string): string {
  return text
    .split(/(<[^<>\n]*>|[\n`*“”"])/)
    .map((piece) => (piece.length < 2 || piece.startsWith('<') ? piece : maskedPiece(piece)))
    .join('');
}

/** An address whose end was cut off, which the rules for whole ones don't find. */
const CUT_ADDRESS = /(?<![^\s@`*(),;|/\\])[^\s@`*(),;|/\\]+ ?(?:@|%40|＠) ?[^\s@`*]{0,80}…/gu;

function maskedPiece(piece: string): string {
  // What `code` shows for an unseen character.
  const visible = piece.replaceAll('�', '');
  const hidden = maskedId(visible.replace(CUT_ADDRESS, (address) => (address.includes(MASK) ? address : `${MASK}…`)));
  return hidden === visible ? piece : hidden;
}
