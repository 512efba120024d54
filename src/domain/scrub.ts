import { withoutContacts } from './contacts.ts';
import { MASK, maskPhone } from './mask.ts';
import { isSecretName, withoutSecrets } from './secrets.ts';
import { visibleText } from './visible-text.ts';

/** The most characters of a scrubbed text: Slack shows 3,000 in a section, and the sentence around it needs some. */
export const SCRUBBED_LENGTH = 2_000;

/** How much of a text is looked at: providers answer with 100 kB, and what explains a failure stands at the top. */
const READ_LENGTH = 8_000;
const MAX_DEPTH = 8;
const MAX_VALUES = 2_000;
/** What one mask uncovers, another takes out; two rounds are usual. */
const MAX_ROUNDS = 8;

const PHONE_NAME = /phone|mobile|msisdn|whatsapp/i;
const PHONE = /^\+?\d[\d ()./-]{5,20}\d$/;
/** What providers of SMS call a number; elsewhere a date or a time may be called so. */
const RECIPIENT_NAME = /^(?:to|from|number|recipient)$/i;
const PHONE_WITHOUT_PLUS = /^\d{10,15}$/;

/** What one scrubbing may still cost. */
interface Budget {
  values: number;
}

/**
 * A text from outside without secrets, contacts, web addresses beyond their host, markup and unseen characters: one line of at
 * most `SCRUBBED_LENGTH` characters. JSON stays JSON unless it is cut. Scrubbing twice changes nothing; nothing is thrown.
 */
export function scrub(text: string): string {
  return scrubText(text, 0);
}

/**
 * A copy of a JSON value with its texts and its keys scrubbed, and what a key calls a secret masked whole. Beyond eight levels or
 * 2,000 values it ends with `…`. What JSON does not know becomes null.
 */
export function scrubValue(value: unknown): unknown {
  return copyScrubbed(value, { values: MAX_VALUES }, 0);
}

function scrubText(text: string, depth: number): string {
  let scrubbed = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = scrubbed;
    scrubbed = shortened(scrubOnce(before, depth));
    if (scrubbed === before) break;
  }
  return scrubbed;
}

function scrubOnce(text: string, depth: number): string {
  const json = parsedJson(text);
  if (json !== undefined && depth < MAX_DEPTH) {
    return JSON.stringify(copyScrubbed(json, { values: MAX_VALUES }, depth + 1));
  }
  return withoutSecrets(withoutContacts(visibleText(firstPart(text))));
}

function parsedJson(text: string): unknown {
  if (text.length > READ_LENGTH || !/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: it is read as text, which is an answer.
    return undefined;
  }
}

/**
 * The part of a text that is looked at. It ends before the last word or number, or the beginning of a secret that goes on beyond it
 * would pass for a word.
 */
function firstPart(text: string): string {
  if (text.length <= READ_LENGTH) return text;
  let end = READ_LENGTH;
  while (end > 0 && !/[\s"'<>]/.test(text.charAt(end - 1))) end--;
  while (end > 0 && /[\s\d+()./-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

function shortened(text: string): string {
  if (text.length <= SCRUBBED_LENGTH) return text;
  return `${text.slice(0, SCRUBBED_LENGTH - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}

function copyScrubbed(value: unknown, budget: Budget, depth: number): unknown {
  if (budget.values-- <= 0) return '…';
  if (typeof value === 'string') return scrubText(value, depth);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return affordable(value, '…', budget).map((item) => copyScrubbed(item, budget, depth + 1));
  const entries = affordable(Object.entries(value), ['…', '…'], budget);
  return Object.fromEntries(
    entries.map(([key, item]) => [scrubText(key, MAX_DEPTH), copyField(key, item, budget, depth + 1)]),
  );
}

function affordable<Item>(items: readonly Item[], ending: Item, budget: Budget): readonly Item[] {
  const many = Math.max(0, budget.values);
  return items.length <= many ? items : [...items.slice(0, many), ending];
}

function copyField(key: string, value: unknown, budget: Budget, depth: number): unknown {
  if (isSecretName(key) && value !== null && typeof value !== 'boolean') return MASK;
  if (isPhone(key, value)) return maskPhone(`${value}`);
  return copyScrubbed(value, budget, depth);
}

function isPhone(key: string, value: unknown): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (PHONE_NAME.test(key)) return PHONE.test(`${value}`);
  return RECIPIENT_NAME.test(key) && typeof value === 'string' && PHONE_WITHOUT_PLUS.test(value);
}
