import { ADDRESS_PASSES, LINK_PASSES } from './addresses.ts';
import { RawJson } from './json-text.ts';
import { MASK, maskPhone, type TextPass } from './mask.ts';
import { NAME_PASSES, withoutNameFields } from './names.ts';
import { withoutPhones, withPlainDigits } from './phones.ts';
import { isSecretName, SECRET_PASSES } from './secrets.ts';
import { maskedAroundLinks } from './typed-links.ts';

const IS_HTML =
  /<(?:!doctype|html|head|body|title|div|span|p|br|hr|h[1-6]|table|center|pre|a|b|i|strong|em|ul|script|style)(?=[\s/>])/i;
const UNSEEN_ELEMENTS = /<(script|style|svg|noscript|template)\b.*?(?:<\/\1\s*>|$)/gis;
const COMMENTS = /<!--.*?(?:-->|$)/gs;
const TAGS = /<[/!]?([a-z][a-z0-9:-]{0,40})(?=[\s/>]|$)[^<>]*>?/gi;
const CDATA = /<!\[CDATA\[(.*?)(?:\]\]>|$)/gs;
const TERMINAL_COLORS = /\p{Cc}\[[\d;]{0,20}m/gu;
const UNSEEN_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Excludes quotes, brackets and commas, which would end a secret early. */
const FULL_WIDTH = /[\uff05\uff08\uff09\uff0b\uff0d-\uff1a\uff1d\uff20-\uff3a\uff3f\uff41-\uff5a]+/g;
const JSON_ESCAPES = /\\u00([2-7][0-9a-f])/gi;
const ENTITIES = /&(?:amp;|#38;|#x26;)*(amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[0-9a-f]{1,5});/gi;
const NAMED_ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

const VISIBLE_PASSES: readonly TextPass[] = [
  (text) => text.replace(JSON_ESCAPES, decodeEscape),
  (text) => text.replace(ENTITIES, decodeEntity),
  (text) => text.replace(FULL_WIDTH, (characters) => characters.normalize('NFKC')),
  withPlainDigits,
  (text) => text.replace(CDATA, '$1'),
  withoutMarkup,
  (text) => text.replace(TERMINAL_COLORS, '').replace(/\s+/g, ' '),
  (text) => text.replace(UNSEEN_CHARACTERS, '').trim(),
];

function withoutMarkup(text: string) {
  if (!IS_HTML.test(text)) return text;
  return text
    .replace(UNSEEN_ELEMENTS, ' ')
    .replace(COMMENTS, ' ')
    .replace(TAGS, (tag, name: string) => (isSecretName(name.slice(name.lastIndexOf(':') + 1)) ? tag : ' '));
}

function decodeEscape(escaped: string, hex: string) {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return character === '"' || character === '\\' ? escaped : character;
}

function decodeEntity(entity: string, name: string) {
  if (name.startsWith('#')) return String.fromCodePoint(Number(`0${name.slice(1)}`));
  return NAMED_ENTITIES.get(name.toLowerCase()) ?? entity;
}

export const SCRUBBED_LENGTH = 2_000;

/** Providers respond with 100 kB, with the explanation at the top. */
const MOST_READ = 8_000;
/** A value's texts cost one a character; each part costs extra. */
const BUDGET = 8_000;
const VALUE_COST = 4;
const TEXT_COST = 40;
export const MAX_DEPTH = 8;
const MAX_ROUNDS = 8;

const PHONE_NAME = /phone|mobile|msisdn|whatsapp/i;
const NAME_FIELD = /^(?:name|key|header)$/i;
/** SES quotes a message's headers, axios requests. */
const SENT_FIELD = /^(?:commonHeaders|(?:config|request)\.(?:data|body))$/i;
/** A header's value is the next item, as in Node's `rawHeaders`. */
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,60})$/i;

export class FreeText {
  readonly #original: string;
  #scrubbed: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  toString() {
    this.#scrubbed ??= scrub(this.#original);
    return this.#scrubbed;
  }

  /** Tells whether it's one of the sentences that are known, without scrubbing it first: that takes a hundred times as long. */
  fits(pattern: RegExp): boolean {
    return pattern.test(this.#original.slice(0, SCRUBBED_LENGTH).trim());
  }

  toJSON() {
    return this.toString();
  }
}

export const scrub = (text: string) => scrubText(text, 0, SCRUBBED_LENGTH);
export const scrubInFull = (text: string) => scrubText(text, 0, MOST_READ);

/** Shortened as Git does: long hexadecimal text would be masked. */
const COMMIT = /\b([0-9a-f]{12})[0-9a-f]{28}(?:[0-9a-f]{24})?\b/g;

/** Keeps words, markup, hosts and paths; masks contacts and secrets. */
export function scrubTyped(text: string) {
  const visible = text.replace(/\s+/g, ' ').replace(UNSEEN_CHARACTERS, '').replace(COMMIT, '$1').trim();
  const plain = withPlainDigits(visible.replace(FULL_WIDTH, (characters) => characters.normalize('NFKC')));
  const masked = maskedAroundLinks(plain, (rest) => settled(rest, (again) => passed(again, TYPED_PASSES)));
  return masked === plain ? visible : masked;
}

export function scrubValue(value: unknown, depth = 0): unknown {
  return copyScrubbed(value, { left: BUDGET }, depth);
}

const LONGEST_LINE = 500;

/** Libraries quote the values they object to. */
export function logLine(text: string) {
  const firstLine = text.slice(0, 20_000).replace(/[\r\n].*/s, '');
  return scrub(firstLine.replace(/"[^"]*("|$)/g, '"…"')).slice(0, LONGEST_LINE);
}

function scrubText(text: string, depth: number, limit: number, field = '') {
  return settled(text, (rest) => shortened(scrubOnce(rest, depth, field), limit));
}

function settled(text: string, pass: TextPass) {
  let scrubbed = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = scrubbed;
    scrubbed = pass(before);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

const PASSES = [...VISIBLE_PASSES, ...LINK_PASSES, ...NAME_PASSES, ...ADDRESS_PASSES, ...SECRET_PASSES];
const TYPED_PASSES = [...LINK_PASSES, ...ADDRESS_PASSES, ...SECRET_PASSES, withoutPhones];

function scrubOnce(text: string, depth: number, field: string) {
  const mayBeJson = depth < MAX_DEPTH && text.length <= MOST_READ && /^\s*[{[]/.test(text);
  const json = mayBeJson ? jsonIn(text) : undefined;
  if (json !== undefined) return withoutNameFields(JSON.stringify(scrubValue(json, depth + 1)));
  return withoutPhones(passed(firstPart(text), PASSES), field);
}

const passed = (text: string, passes: readonly TextPass[]) => passes.reduce((rest, pass) => pass(rest), text);

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends before a word: the beginning of a secret isn't recognized. */
function firstPart(text: string) {
  if (text.length <= MOST_READ) return text;
  let end = MOST_READ;
  while (end > 0 && !/[\s"'<>]/.test(text.charAt(end - 1))) end--;
  while (/[\s\d+()./-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

export function shortened(text: string, limit: number) {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}

type Budget = { left: number };

function copyScrubbed(value: unknown, budget: Budget, depth: number, key = ''): unknown {
  if (budget.left <= 0) return '…';
  budget.left -= VALUE_COST;
  const digits = value instanceof RawJson ? value.text : typeof value === 'number' ? `${value}` : null;
  if (digits !== null && isPhone(key, digits)) return maskPhone(digits);
  if (typeof value === 'string') return affordableText(value, depth, budget, key);
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof RawJson) return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return '…';
  if (!Array.isArray(value)) return copyFields(value, budget, depth + 1, key);
  const items = affordable<unknown>(value, '…', budget);
  return items.map((item, index) =>
    typeof item === 'string' && isSecretHeader(items[index - 1]) ? MASK : copyScrubbed(item, budget, depth + 1, key),
  );
}

const isSecretHeader = (name: unknown) => typeof name === 'string' && HEADER.test(name) && isSecretName(name);

function copyFields(object: object, budget: Budget, depth: number, parent: string) {
  const fields = affordable<readonly [string, unknown]>(Object.entries(object), ['…', '…'], budget);
  const isSecretPair = fields.some(
    ([key, name]) => NAME_FIELD.test(key) && typeof name === 'string' && (isSecretName(name) || name === 'Subject'),
  );
  const copy = fields.map(([key, value]) => {
    const isSent = SENT_FIELD.test(key) || SENT_FIELD.test(`${parent}.${key}`);
    const isSecret =
      (isSecretPair && typeof value === 'string' && /^value$/i.test(key)) ||
      ((isSecretName(key) || isSent) && value !== null && typeof value !== 'boolean');
    const shownKey = affordableText(key, MAX_DEPTH, budget);
    return [shownKey, isSecret ? MASK : copyScrubbed(value, budget, depth, key)] as const;
  });
  return Object.fromEntries(copy);
}

function affordableText(text: string, depth: number, budget: Budget, field = '') {
  if (budget.left <= 0) return '…';
  budget.left -= text.length + TEXT_COST;
  return scrubText(text, depth, SCRUBBED_LENGTH, field);
}

function affordable<Item>(items: readonly Item[], ending: Item, { left }: Budget) {
  const most = Math.max(0, Math.floor(left / VALUE_COST));
  return items.length <= most ? items : [...items.slice(0, most), ending];
}

function isPhone(key: string, digits: string) {
  return Number(digits) >= (PHONE_NAME.test(key) ? 1e6 : 1e9) && withoutPhones(digits, key) !== digits;
}
