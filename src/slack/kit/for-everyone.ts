import { escaped, unescaped } from '../../lib/input/slack-text.ts';
import { MASK } from '../../lib/text/mask.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import type { Workspace } from '../../lib/workspace.ts';
import { context, PUBLISHED, parseValue } from './blocks.ts';
import { type MessageContent, message } from './message.ts';
import { cut, mrkdwn, person } from './text.ts';

declare const FOR_EVERYONE: unique symbol;

/** Only `forEveryone` and `withNames` create it. */
export type PublicContent = MessageContent & { readonly [FOR_EVERYONE]: true };

/** Masks contacts, omits controls whose value has one, and applies `publishedAs`. */
export function forEveryone({ blocks }: MessageContent, sharedBy?: string) {
  const line = sharedBy !== undefined && context(mrkdwn`Shared by ${person(sharedBy)}`);
  return message([...mapped(blocks, textForEveryone), line]) as PublicContent;
}

export const MENTION = /<@([UW][A-Z0-9]+)>/g;
const GROUP_MENTION = /<!subteam\^(S[A-Z0-9]+)>/g;
const LONGEST_NAME = 30;

/** Replaces mentions, except of `notified`, by names. */
export async function withNames(
  content: PublicContent,
  { namesOf }: Pick<Workspace, 'namesOf'>,
  notified: string | null,
) {
  const people = new Set([...JSON.stringify(content).matchAll(MENTION)].map(([, id = '']) => id));
  const names = await namesOf([...people]);
  const nameOf = (id: string) => textForEveryone(`${mrkdwn`${cut(names.get(id) ?? 'somebody', LONGEST_NAME)}`}`);
  const words = (text: string) =>
    text
      .replace(MENTION, (mention, id) => (id === notified ? mention : nameOf(id)))
      .replace(GROUP_MENTION, (mention, id) => (id === notified ? mention : 'a user group'));
  return message(mapped(content.blocks, words)) as PublicContent;
}

const NOT_TEXT = new Set(['type', 'action_id', 'block_id', 'url', 'style', 'value']);

function mapped<Value>(value: Value, words: (text: string) => string): Value;
function mapped(value: unknown, words: (text: string) => string): unknown {
  const inside = (part: unknown) => mapped(part, words);
  if (typeof value === 'string') return words(value);
  if (Array.isArray(value)) return value.map(inside).filter((item) => item !== GONE && !isEmpty(item));
  if (typeof value !== 'object' || value === null) return value;
  if (PUBLISHED in value) return value[PUBLISHED] === null ? GONE : inside(value[PUBLISHED]);
  if ('element' in value && 'fallback' in value && inside(value.element) === GONE) return inside(value.fallback);
  const fields = Object.entries(value);
  if (fields.some(([key, field]) => key === 'value' && typeof field === 'string' && hasContact(field))) return GONE;
  const published = fields.map(([key, field]) => [key, NOT_TEXT.has(key) ? field : inside(field)]);
  return Object.fromEntries(published.filter(([, field]) => field !== GONE));
}

const GONE = Symbol('left out');

/** Slack refuses an empty row or select. */
function isEmpty(block: unknown) {
  if (typeof block !== 'object' || block === null) return false;
  return Object.values(block).some((items: unknown) => Array.isArray(items) && items.length === 0);
}

function hasContact(value: string) {
  return (parseValue(value) ?? [value]).some((field) => maskedId(field) !== field);
}

export function textForEveryone(text: string) {
  return text
    .split(MARKUP)
    .map((piece, place) => (place % 2 === 1 ? piece : maskedPiece(piece)))
    .join('');
}

/** Slack's tokens, and formatting at a word's edge: inside, it can be part of an ID. */
const MARKUP = /(<(?:[@#!]|https?:)[^<>\n]*>|\n|(?<![^\s(,·*“"])[`*“"]|[`*”"](?![^\s),.:;·*`”"…]))/;

/** The rules for whole addresses don't find it. */
const CUT_ADDRESS = /(?<![^\s@`*(),;|/\\])[^\s@`*(),;|/\\]+ ?(?:@|%40|＠) ?[^\s@`*]{0,80}…/gu;

function maskedPiece(piece: string) {
  const visible = piece.replaceAll('�', '');
  const plain = unescaped(visible);
  const hidden = maskedId(plain.replace(CUT_ADDRESS, (address) => (address.includes(MASK) ? address : `${MASK}…`)));
  if (hidden === plain) return piece;
  return plain === visible ? hidden : escaped(hidden);
}
