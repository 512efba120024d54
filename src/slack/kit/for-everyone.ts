import { escaped, unescaped } from '../../lib/input/slack-text.ts';
import { MASK } from '../../lib/text/mask.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import type { Workspace } from '../../lib/workspace.ts';
import { context } from './blocks.ts';
import { parseValue } from './buttons.ts';
import { type MessageContent, message } from './message.ts';
import { PUBLISHED } from './published.ts';
import { cut, mrkdwn, person } from './text.ts';

declare const FOR_EVERYONE: unique symbol;

/** Only `forEveryone` and `withNames` create this type. */
export type PublicContent = MessageContent & { readonly [FOR_EVERYONE]: true };

/** Masks contacts, omits controls whose value has one, and applies `publishedAs`. */
export function forEveryone({ blocks }: MessageContent, sharedBy?: string): PublicContent {
  const sharer = sharedBy !== undefined && context(mrkdwn`Shared by ${person(sharedBy)}`);
  return message([...mapTexts(blocks, textForEveryone), sharer]) as PublicContent;
}

export const MENTION = /<@([UW][A-Z0-9]+)>/g;
const GROUP_MENTION = /<!subteam\^(S[A-Z0-9]+)>/g;
const LONGEST_NAME = 30;

/** Replaces mentions, except of `notified`, by names. */
export async function withNames(
  content: PublicContent,
  { namesOf }: Pick<Workspace, 'namesOf'>,
  notified: readonly string[],
): Promise<PublicContent> {
  const json = JSON.stringify(content);
  const mentioned = new Set([...json.matchAll(MENTION), ...json.matchAll(GROUP_MENTION)].map(([, id = '']) => id));
  const names = await namesOf([...mentioned]);
  const nameOf = (id: string, unknown: string) =>
    textForEveryone(`${mrkdwn`${cut(names.get(id) ?? unknown, LONGEST_NAME)}`}`);
  const replaceMentions = (text: string) =>
    text
      .replace(MENTION, (mention, id) => (notified.includes(id) ? mention : nameOf(id, 'somebody')))
      .replace(GROUP_MENTION, (mention, id) => (notified.includes(id) ? mention : nameOf(id, 'a user group')));
  return message(mapTexts(content.blocks, replaceMentions)) as PublicContent;
}

const NOT_TEXT = new Set(['type', 'action_id', 'block_id', 'url', 'style', 'value']);

function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  const inside = (part: unknown) => mapTexts(part, change);
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(inside).filter((part) => part !== LEFT_OUT && !isEmpty(part));
  if (typeof value !== 'object' || value === null) return value;
  if (PUBLISHED in value) return value[PUBLISHED] === null ? LEFT_OUT : inside(value[PUBLISHED]);
  if ('element' in value && 'fallback' in value && inside(value.element) === LEFT_OUT) return inside(value.fallback);
  const fields = Object.entries(value);
  if (fields.some(([key, field]) => key === 'value' && typeof field === 'string' && hasContact(field))) return LEFT_OUT;
  const published = fields.map(([key, field]) => [key, NOT_TEXT.has(key) ? field : inside(field)]);
  return Object.fromEntries(published.filter(([, field]) => field !== LEFT_OUT));
}

const LEFT_OUT = Symbol('left out');

/** Slack refuses an empty row or select. */
function isEmpty(block: unknown) {
  if (typeof block !== 'object' || block === null) return false;
  return Object.values(block).some((items: unknown) => Array.isArray(items) && items.length === 0);
}

function hasContact(value: string) {
  return (parseValue(value) ?? [value]).some((field) => maskedId(field) !== field);
}

export function textForEveryone(text: string): string {
  return text
    .split(MARKUP)
    .map((piece, index) => (index % 2 === 1 ? piece : maskedPiece(piece)))
    .join('');
}

/** Matches Slack's tokens, and formatting at a word's edge: inside a word, it can be part of an ID. */
const MARKUP = /(<(?:[@#!]|https?:)[^<>\n]*>|\n|(?<![^\s(,·*“"])[`*“"]|[`*”"](?![^\s),.:;·*`”"…]))/;

/** The rules for whole addresses don't find one that was cut. */
const CUT_ADDRESS = /(?<![^\s@`*(),;|/\\])[^\s@`*(),;|/\\]+ ?(?:@|%40|＠) ?[^\s@`*]{0,80}…/gu;

function maskedPiece(piece: string) {
  // `code` shows an invisible character as �, which would hide an address.
  const visible = piece.replaceAll('�', '');
  const plain = unescaped(visible);
  const masked = maskedId(plain.replace(CUT_ADDRESS, (address) => (address.includes(MASK) ? address : `${MASK}…`)));
  if (masked === plain) return piece;
  return plain === visible ? masked : escaped(masked);
}
