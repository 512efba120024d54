import { type Masking, maskedBy } from './mask.ts';
import { isSecretName } from './named-secrets.ts';

const IS_HTML =
  /<(?:!doctype|html|head|body|title|div|span|p|br|hr|h[1-6]|table|center|pre|a|b|i|strong|em|ul|script|style)(?=[\s/>])/i;
/** `<SendSms>` before any element of HTML: XML, whose elements name what they hold. */
const OTHER_ELEMENT =
  /^[^<]*<(?!(?:html|head|body|title|div|span|p|br|hr|h[1-6]|table|center|pre|a|b|i|strong|em|ul|script|style)[\s/>])([a-z][\w:.-]{0,60})[\s>]/i;
const UNSEEN_ELEMENTS = /<(script|style|svg|noscript|template)\b.*?(?:<\/\1\s*>|$)/gis;
const COMMENTS = /<!--.*?(?:-->|$)/gs;
const TAGS = /<[/!]?([a-z][a-z0-9:-]{0,40})(?=[\s/>]|$)[^<>]*>?/gi;
const CDATA = /<!\[CDATA\[(.*?)(?:\]\]>|$)/gs;
const TERMINAL_COLORS = /\p{Cc}\[[\d;]{0,20}m/gu;
/** Plain ASCII without markup. */
const IS_VISIBLE = /^[\x20-\x25\x27-\x3b=>-[\]-\x7e]*$/;
const UNSEEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Excludes quotes, brackets and commas, which would end a secret early. */
const FULL_WIDTH = /[\uff05\uff08\uff09\uff0b\uff0d-\uff1a\uff1d\uff20-\uff3a\uff3f\uff41-\uff5a]+/g;
const JSON_ESCAPES = /\\u00([2-7][0-9a-f])/gi;
const ENTITIES = /&(?:amp;|#38;|#x26;)*(amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[0-9a-f]{1,5});/gi;
const NAMED_ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

const VISIBLE_MASKINGS: readonly Masking[] = [
  (text) => text.replace(JSON_ESCAPES, decodeEscape),
  (text) => text.replace(ENTITIES, decodeEntity),
  withUsualWidth,
  withPlainDigits,
  (text) => text.replace(CDATA, (_, inside: string) => inside),
  withoutMarkup,
  (text) => text.replace(TERMINAL_COLORS, '').replace(/\s+/g, ' '),
  (text) => text.replace(UNSEEN_CHARACTERS, '').trim(),
];

/** What a person would see of a text. */
export const VISIBLE: Masking = (text) =>
  IS_VISIBLE.test(text) ? text.replace(/ {2,}/g, ' ').trim() : maskedBy(text, VISIBLE_MASKINGS);

function withoutMarkup(text: string): string {
  const [, other] = OTHER_ELEMENT.exec(text) ?? [];
  if (!IS_HTML.test(text) || (other !== undefined && text.includes(`</${other}>`))) return text;
  return text
    .replace(UNSEEN_ELEMENTS, ' ')
    .replace(COMMENTS, ' ')
    .replace(TAGS, (tag, name: string) => (isSecretName(name.slice(name.lastIndexOf(':') + 1)) ? tag : ' '));
}

function decodeEscape(escaped: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return character === '"' || character === '\\' ? escaped : character;
}

function decodeEntity(entity: string, name: string): string {
  if (name.startsWith('#')) return String.fromCodePoint(Number(`0${name.slice(1)}`));
  return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
}

export const withoutUnseen = (text: string): string => text.replace(UNSEEN_CHARACTERS, '');

export function withUsualWidth(text: string): string {
  return text.replace(FULL_WIDTH, (characters) => characters.normalize('NFKC'));
}

/** Unicode's blocks of ten digits begin at a multiple of 16, or six after it. */
export function withPlainDigits(text: string): string {
  return text.replace(/[\u0660-\uffef]/g, (character) => {
    if (!/\p{Nd}/u.test(character)) return character;
    const unit = character.charCodeAt(0);
    return `${(unit & 15) - (/\p{Nd}/u.test(String.fromCharCode(unit & ~15)) ? 0 : 6)}`;
  });
}
