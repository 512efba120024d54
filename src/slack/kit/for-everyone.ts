import { escaped, unescaped } from '../../lib/input/slack-text.ts';
import { MASK } from '../../lib/text/mask.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import type { Workspace } from '../../lib/workspace.ts';
import { context } from './blocks.ts';
import { parseValue } from './button-values.ts';
import { type MessageContent, message } from './message.ts';
import { PUBLISHED } from './published.ts';
import { cut, mrkdwn, person } from './text.ts';

declare const FOR_EVERYONE: unique symbol;

/** Only `forEveryone` and `withNames` create this type. */
export type PublicContent = MessageContent & { readonly [FOR_EVERYONE]: true };

/** Fields of blocks that nobody is shown. */
const NOT_TEXT = new Set(['type', 'action_id', 'block_id', 'url', 'style', 'value']);
const LEFT_OUT = Symbol('left out');

/** `<@U0ANN>`, `<https://…|page>`, the asterisks of `*bold*`; not that of `anna*x@example.com`, which is part of an ID. */
const MARKUP = /(<(?:[@#!]|https?:)[^<>\n]*>|\n|(?<![^\s(,·*“"])[`*“"]|[`*”"](?![^\s),.:;·*`”"…]))/;

/** `anna@exam…`: the rules for whole addresses don't find one that was cut. */
const CUT_ADDRESS = /(?<![^\s@`*(),;|/\\])[^\s@`*(),;|/\\]+ ?(?:@|%40|＠) ?[^\s@`*]{0,80}…/gu;

export const MENTION = /<@([UW][A-Z0-9]+)>/g;
const GROUP_MENTION = /<!subteam\^(S[A-Z0-9]+)>/g;
/** Short enough for texts of `TEXT_WITH_NAMES` (blocks.ts) to stay within Slack's limit. */
const LONGEST_NAME = 30;

/** Masks contacts, omits controls whose value has one, and applies `publishedAs`. */
export function forEveryone({ blocks }: MessageContent, sharedBy?: string): PublicContent {
  const sharer = sharedBy !== undefined && context(mrkdwn`Shared by ${person(sharedBy)}`);
  return message([...mapTexts(blocks, textForEveryone), sharer]) as PublicContent;
}

/** Replaces mentions by names, except those of the IDs in `notified`. */
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

/** Changes each text that is shown, and leaves out what isn't published. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const inside = (part: unknown): unknown => mapTexts(part, change);
  if (Array.isArray(value)) return value.map(inside).filter((part) => part !== LEFT_OUT && !isEmpty(part));
  if (PUBLISHED in value) return value[PUBLISHED] === null ? LEFT_OUT : inside(value[PUBLISHED]);
  const isButtonCell = 'element' in value && 'fallback' in value;
  if (isButtonCell && inside(value.element) === LEFT_OUT) return inside(value.fallback);
  if ('value' in value && typeof value.value === 'string' && hasContact(value.value)) return LEFT_OUT;
  const fields = Object.entries(value).map(([key, field]) => [key, NOT_TEXT.has(key) ? field : inside(field)]);
  return Object.fromEntries(fields.filter(([, field]) => field !== LEFT_OUT));
}

/** Slack refuses an empty row or select. */
function isEmpty(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false;
  return Object.values(block).some((items: unknown) => Array.isArray(items) && items.length === 0);
}

function hasContact(value: string): boolean {
  return (parseValue(value) ?? [value]).some((field) => maskedId(field) !== field);
}

/** Masks the contacts in a text of Slack's markup. */
export function textForEveryone(text: string): string {
  return text
    .split(MARKUP)
    .map((piece, index) => (index % 2 === 1 ? piece : maskedPiece(piece)))
    .join('');
}

function maskedPiece(piece: string): string {
  // `code` shows an invisible character as �, which would hide an address.
  const visible = piece.replaceAll('�', '');
  const plain = unescaped(visible);
  const masked = maskedId(plain.replace(CUT_ADDRESS, (address) => (address.includes(MASK) ? address : `${MASK}…`)));
  if (masked === plain) return piece;
  return plain === visible ? masked : escaped(masked);
}
