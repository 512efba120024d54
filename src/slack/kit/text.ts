import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import { withUnseenAs } from '../../lib/fold.ts';
import { escaped } from '../../lib/input/slack-text.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import type { Mention } from '../../watches/settings.ts';

/** Only this file creates it, so text from outside is escaped. */
class MarkupText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString() {
    return this.#text;
  }
}

export type Markup = MarkupText;
export type Inserted = Markup | string | number;

/** Characters of a text, or a name, from outside: one can't fill a message. */
const LONGEST_INSERTED = 250;
const LONGEST_NAME = 80;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** `12:30:05` and `22:00-07:00` are no emoji. */
const EMOJI_NAME = /:(?!\d+(?:-\d+)?:)(?=[\w+'-]{1,100}:)/g;
/** Slack takes no other underscore as formatting. */
const UNDERSCORE_AT_EDGE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

export function mrkdwn(template: TemplateStringsArray, ...inserted: readonly Inserted[]): Markup {
  return new MarkupText(String.raw({ raw: template }, ...inserted.map(insertedText)));
}

function insertedText(inserted: Inserted): string {
  if (inserted instanceof MarkupText) return `${inserted}`;
  return typeof inserted === 'number' ? grouped(inserted) : withoutMarkup(cut(inserted, LONGEST_INSERTED));
}

export const grouped = (count: number): string => count.toLocaleString('en-US');

function withoutMarkup(text: string): string {
  return escaped(text.replace(/\s+/gu, ' ').replace(INVISIBLE, '').replace(/^>+/, '›'))
    .replaceAll('*', '∗')
    .replaceAll('~', '∼')
    .replaceAll('`', 'ˋ')
    .replace(UNDERSCORE_AT_EDGE, 'ˍ')
    .replace(EMOJI_NAME, '∶');
}

/** Shows the invisible as `�`, so that different IDs look different. */
export function code(id: string, longest = 60): Markup {
  const visible = withUnseenAs('�', cut(id, longest).replace(/\s/gu, ' ')).replaceAll('`', 'ˋ').trim();
  return new MarkupText(`\`${escaped(visible) || '–'}\``);
}

export const named = (name: string): Markup => mrkdwn`${cut(name, LONGEST_NAME)}`;
export const bold = (text: Inserted): Markup => mrkdwn`*${text}*`;

export type Optional<Item> = Item | null | false;
export type Line = Optional<Inserted>;

export function joined(items: readonly Line[], separator = ' · '): Markup {
  return new MarkupText(present(items).map(insertedText).join(separator));
}

export function present<Item>(items: readonly Optional<Item>[]): Item[] {
  return items.filter((item): item is Item => item !== null && item !== false && `${item}` !== '');
}

export function firstOf(items: readonly Inserted[], most: number): readonly Inserted[] {
  const left = items.length - most;
  return left > 0 ? [...items.slice(0, most), mrkdwn`${left} more`] : items;
}

/** 'a, b, 3 more' */
export function listed(items: readonly Inserted[], separator = ', ', most = 5): Markup {
  return joined(firstOf(items, most), separator);
}

export const badge = (environment: { label: string }): Markup => bold(environment.label);

/** The text must not come from outside. */
export const token = (text: `<${string}>`): Markup => new MarkupText(text);

export function pageLink(page: `https://${string}`, label: string): Markup {
  return token(`<${escaped(new URL(page).href).replaceAll('|', '%7C')}|${withoutMarkup(label)}>`);
}

/** Notifies only in new messages that aren't ephemeral. */
export function person(userId: string): Markup {
  return /^[UW][A-Z0-9]+$/.test(userId) ? token(`<@${userId}>`) : code(userId);
}

export function mention({ kind, id }: Mention): Markup {
  if (kind === 'person') return person(id);
  return /^S[A-Z0-9]+$/.test(id) ? token(`<!subteam^${id}>`) : code(id);
}

/** `channelId` is null for a private channel or direct message. */
export function channelLink(channelId: string | null): Markup {
  if (channelId === null) return mrkdwn`a private conversation`;
  return /^[CG][A-Z0-9]+$/.test(channelId) ? token(`<#${channelId}>`) : code(channelId);
}

/** Masks first, since a contact that was cut wouldn't be recognized. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const masked = maskedId(text);
  if (masked.length <= longest) return masked;
  return `${masked.slice(0, longest - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}

const MARKUP_PIECES = /&(?:amp|lt|gt);|<[^<>]*>|[\s\S]/gu;

/** Cuts between escapes, tokens and contacts, and closes code. */
export function cutMarkup(markup: Markup, longest: number): Markup {
  const text = `${markup}`;
  if (text.length <= longest) return markup;
  let beginning = '';
  for (const [piece] of text.matchAll(MARKUP_PIECES)) {
    if (beginning.length + piece.length > longest - 2) break;
    beginning += piece;
  }
  // The last word may be the beginning of a contact.
  beginning = beginning.replace(/(?<=\s)(?:<[^<>]*>|[^\s`<>]){1,100}$/, '').trimEnd();
  const isCodeOpen = beginning.split('`').length % 2 === 0;
  return new MarkupText(`${beginning}${isCodeOpen ? '`' : ''}…`);
}

/** `verbatim` keeps Slack from making links and mentions. */
export function mrkdwnElement(markup: Markup, longest: number): MrkdwnElement {
  return { type: 'mrkdwn', text: `${cutMarkup(markup, longest)}`, verbatim: true };
}

/** The element must be made by this file, which escapes markup. */
export function markupIn({ type, text }: MrkdwnElement | PlainTextElement): Markup {
  return type === 'mrkdwn' ? new MarkupText(text) : mrkdwn`${text}`;
}

export function plain(text: string, longest: number): PlainTextElement {
  // Of a long text, only what may be shown is looked at.
  const visible = text
    .slice(0, 2 * longest)
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .trim();
  return { type: 'plain_text', text: cut(visible || '–', longest), emoji: false };
}

export function plural(count: number, noun: string, many = `${noun}s`): Markup {
  return mrkdwn`${count} ${count === 1 ? noun : many}`;
}

export const FEWEST_FOR_PERCENT = 5;

/** '0%' means none and '100%' all. */
export function percent(part: number, whole: number): string {
  const value = (100 * part) / whole;
  if (value > 0 && value < 0.1) return 'under 0.1%';
  if (value > 99 && value < 100) return 'over 99%';
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}%`;
}
