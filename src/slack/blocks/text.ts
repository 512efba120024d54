import type { MrkdwnElement, PlainTextElement } from '@slack/types';
import type { Mention } from '../../domain/watches/watch.ts';

/**
 * Text in Slack's mrkdwn. Only `mrkdwn` and its neighbors in this file make one, so nothing from outside is in it without having
 * been made harmless.
 */
class MarkupText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Markup = MarkupText;
export type Inserted = Markup | string | number;

/** How much of a text from outside one place shows; escaped it grows five times at most. */
const LONGEST_INSERTED = 250;
const LONGEST_CODE = 60;
const LONGEST_NAME = 80;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** `:fire:` would become a picture; `12:30:05` and `22:00-07:00` would not. */
const EMOJI_NAME = /:(?!\d+(?:-\d+)?:)(?=[\w+'-]{1,100}:)/g;
/** An underscore inside a word formats nothing, and is in many a name. */
const UNDERSCORE_AT_EDGE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/**
 * Builds mrkdwn from a template. The template's own text is markup; a string that is inserted is text from outside and stays text;
 * a number is written 1,234.
 */
export function mrkdwn(template: TemplateStringsArray, ...inserted: readonly Inserted[]): Markup {
  const rest = template.slice(1).map((text, index) => `${asText(inserted[index] ?? '')}${text}`);
  return new MarkupText(`${template[0] ?? ''}${rest.join('')}`);
}

function asText(inserted: Inserted): string {
  if (inserted instanceof MarkupText) return `${inserted}`;
  return typeof inserted === 'number' ? grouped(inserted) : harmless(cut(inserted, LONGEST_INSERTED));
}

/** 4210 -> '4,210' */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** Text from outside on one line, in which Slack finds no mention, link, formatting or emoji. What would format is replaced by its like. */
function harmless(text: string): string {
  return escaped(text.replace(/\s+/gu, ' ').replace(UNSEEN, '').replace(/^>+/, '›'))
    .replaceAll('*', '∗')
    .replaceAll('~', '∼')
    .replaceAll('`', 'ˋ')
    .replace(UNDERSCORE_AT_EDGE, 'ˍ')
    .replace(EMOJI_NAME, '∶');
}

/** Slack's own rule: these three characters and no others ("Formatting message text"). */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An id or word in code style. An unseen character in it is shown as `�`, for two ids must not look alike; '' is shown as `–`. */
export function code(id: string, longest: number = LONGEST_CODE): Markup {
  const visible = cut(id, longest).replace(/\s/gu, ' ').replace(UNSEEN, '�').replaceAll('`', 'ˋ').trim();
  return new MarkupText(`\`${escaped(visible) || '–'}\``);
}

/** A name from outside: a workflow's, a provider's. Many of them are in one message, so each is short. */
export function named(name: string): Markup {
  return mrkdwn`${cut(name, LONGEST_NAME)}`;
}

export function bold(text: Inserted): Markup {
  return mrkdwn`*${text}*`;
}

export function joined(parts: readonly Inserted[], separator: string): Markup {
  return new MarkupText(parts.map(asText).join(separator));
}

/** Sentences, one after the other: each gets a full stop, unless what it says ends with a mark of its own. */
export function sentences(parts: readonly Inserted[]): Markup {
  const ended = parts.map(asText).map((text) => (/[.!?…]$/u.test(text) ? text : `${text}.`));
  return new MarkupText(ended.join(' '));
}

/** One of Slack's own tokens (`<!date^…>`, `<@U…>`), put together from values that Notif knows. */
export function token(text: `<${string}>`): Markup {
  return new MarkupText(text);
}

/** A link to a public page that the catalog of causes, or the team's configuration, names. */
export function pageLink(page: `https://${string}`, label: string): Markup {
  return token(`<${escaped(new URL(page).href).replaceAll('|', '%7C')}|${harmless(label)}>`);
}

/** Somebody by their Slack id; a mention in an edit or in an ephemeral message notifies nobody. */
export function person(userId: string): Markup {
  return /^[UW][A-Z0-9]+$/.test(userId) ? token(`<@${userId}>`) : code(userId);
}

/** Whom a watch mentions: in a new message it notifies them. */
export function mention({ kind, id }: Mention): Markup {
  if (kind === 'person') return person(id);
  return /^S[A-Z0-9]+$/.test(id) ? token(`<!subteam^${id}>`) : code(id);
}

/** A Slack channel by its id. */
export function channelLink(channelId: string): Markup {
  return /^[CG][A-Z0-9]+$/.test(channelId) ? token(`<#${channelId}>`) : code(channelId);
}

/** The text cut to at most `longest` characters, `…` included, never in the middle of a character. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}

const MARKUP_PIECES = /&(?:amp|lt|gt);|<[^<>]*>|[\s\S]/gu;

/** Markup cut to at most `longest` characters, never within an escape, a token or a character; open code is closed. */
export function cutMarkup(markup: Markup, longest: number): Markup {
  const text = `${markup}`;
  if (text.length <= longest) return markup;
  let kept = '';
  for (const [piece] of text.matchAll(MARKUP_PIECES)) {
    if (kept.length + piece.length > longest - 2) break;
    kept += piece;
  }
  const isCodeOpen = kept.split('`').length % 2 === 0;
  return new MarkupText(`${kept}${isCodeOpen ? '`' : ''}…`);
}

/** `verbatim`: Slack makes no links and mentions of what looks like one. */
export function mrkdwnElement(markup: Markup, longest: number): MrkdwnElement {
  return { type: 'mrkdwn', text: `${cutMarkup(markup, longest)}`, verbatim: true };
}

/** Text that Slack does not interpret, not even emoji names. `text` may come from outside. */
export function plain(text: string, longest: number): PlainTextElement {
  const beginning = text.slice(0, 2 * longest);
  return {
    type: 'plain_text',
    text: cut(beginning.replace(/\s+/gu, ' ').replace(UNSEEN, '').trim() || '–', longest),
    emoji: false,
  };
}

/** '1 event', '2,322 events'; `many` where the noun's plural isn't made by an s. */
export function plural(count: number, noun: string, many = `${noun}s`): Markup {
  return mrkdwn`${count} ${count === 1 ? noun : many}`;
}
