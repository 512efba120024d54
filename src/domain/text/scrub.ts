import { CONTACT_PASSES } from './contacts.ts';
import { MASK, maskPhone } from './mask.ts';
import { isSecretName, SECRET_PASSES } from './secrets.ts';
import { finished, type Steps } from './steps.ts';
import { VISIBLE_PASSES } from './visible-text.ts';

/** The most characters of a scrubbed text: Slack shows 3,000 in a section, and the sentence around it needs some. */
export const SCRUBBED_LENGTH = 2_000;

/** How much of what stands outside is looked at and kept. */
interface Bounds {
  /** Of a text, characters that are looked at and that are kept. */
  readonly read: number;
  readonly kept: number;
  /** Of a JSON value: how many values, and characters with `TEXT_COST` for each text and key. */
  readonly values: number;
  readonly characters: number;
}

/** Providers answer with 100 kB, and what explains a failure stands at the top. All of it is one step of work. */
const USUAL: Bounds = { read: 8_000, kept: SCRUBBED_LENGTH, values: 2_000, characters: 8_000 };

/** For anyone who wants to see it all. One pass over a text is one step: `bench/` holds it under 10 ms at this bound. */
const IN_FULL: Bounds = { read: 50_000, kept: 50_000, values: 10_000, characters: 400_000 };

/** A short text costs as much as one of so many characters. */
const TEXT_COST = 40;

const MAX_DEPTH = 8;

/** What one mask uncovers, another takes out; two rounds are usual. */
const MAX_ROUNDS = 8;

const PHONE_NAME = /phone|mobile|msisdn|whatsapp/i;
const PHONE = /^\+?\d[\d ()./-]{5,20}\d$/;
/** What providers of SMS call a number; elsewhere a date or a time may be called so. */
const RECIPIENT_NAME = /^(?:to|from|number|recipient)$/i;
const PHONE_WITHOUT_PLUS = /^\d{10,15}$/;

/** What one scrubbing may still cost. */
interface Budget {
  readonly bounds: Bounds;
  values: number;
  characters: number;
}

/**
 * A text from outside without secrets, contacts, web addresses beyond their host, markup and unseen characters: one line of at
 * most `SCRUBBED_LENGTH` characters. JSON stays JSON unless it is cut. Scrubbing twice changes nothing; nothing is thrown.
 */
export function scrub(text: string): string {
  return finished(scrubText(text, 0, USUAL));
}

/** As `scrub`, but of up to 50,000 characters, in steps, with a word on how many there are beyond. */
export function* scrubInFull(text: string): Steps<string> {
  const beyond = text.length - IN_FULL.read;
  const scrubbed = yield* scrubText(text, 0, IN_FULL);
  return beyond > 0 ? `${scrubbed} (${beyond} more characters are not shown)` : scrubbed;
}

/**
 * A copy of a JSON value with its texts and its keys scrubbed, and what a key calls a secret masked whole. Beyond eight levels, 2,000
 * values or 8,000 characters it ends with `…`. What JSON does not know becomes null.
 */
export function scrubValue(value: unknown): unknown {
  return finished(copyScrubbed(value, budgetOf(USUAL), 0));
}

/** As `scrubValue`, but of up to 10,000 values and 400,000 characters, in steps. */
export function scrubValueInFull(value: unknown): Steps<unknown> {
  return copyScrubbed(value, budgetOf(IN_FULL), 0);
}

function budgetOf(bounds: Bounds): Budget {
  return { bounds, values: bounds.values, characters: bounds.characters };
}

function* scrubText(text: string, depth: number, bounds: Bounds): Steps<string> {
  let scrubbed = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = scrubbed;
    scrubbed = shortened(yield* scrubOnce(before, depth, bounds), bounds.kept);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

const PASSES = [...VISIBLE_PASSES, ...CONTACT_PASSES, ...SECRET_PASSES];

function* scrubOnce(text: string, depth: number, bounds: Bounds): Steps<string> {
  const json = parsedJson(text, bounds);
  if (json !== undefined && depth < MAX_DEPTH) {
    return JSON.stringify(yield* copyScrubbed(json, budgetOf(bounds), depth + 1));
  }
  let scrubbed = firstPart(text, bounds.read);
  for (const pass of PASSES) {
    scrubbed = pass(scrubbed);
    yield scrubbed.length;
  }
  return scrubbed;
}

function parsedJson(text: string, { read }: Bounds): unknown {
  if (text.length > read || !/^\s*[{[]/.test(text)) return undefined;
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
function firstPart(text: string, read: number): string {
  if (text.length <= read) return text;
  let end = read;
  while (end > 0 && !/[\s"'<>]/.test(text.charAt(end - 1))) end--;
  while (end > 0 && /[\s\d+()./-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

function shortened(text: string, kept: number): string {
  if (text.length <= kept) return text;
  return `${text.slice(0, kept - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}

function* copyScrubbed(value: unknown, budget: Budget, depth: number): Steps<unknown> {
  if (budget.values-- <= 0) return '…';
  if (typeof value === 'string') return yield* affordableText(value, depth, budget);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return yield* copyItems(affordable(value, '…', budget), budget, depth + 1);
  return yield* copyFields(affordable(Object.entries(value), ['…', '…'], budget), budget, depth + 1);
}

function* copyItems(items: readonly unknown[], budget: Budget, depth: number): Steps<unknown[]> {
  const copy: unknown[] = [];
  for (const item of items) copy.push(yield* copyScrubbed(item, budget, depth));
  return copy;
}

function* copyFields(fields: readonly (readonly [string, unknown])[], budget: Budget, depth: number): Steps<object> {
  const copy: [string, unknown][] = [];
  for (const [key, value] of fields) {
    copy.push([yield* affordableText(key, MAX_DEPTH, budget), yield* copyField(key, value, budget, depth)]);
  }
  return Object.fromEntries(copy);
}

function* affordableText(text: string, depth: number, budget: Budget): Steps<string> {
  if (budget.characters <= 0) return '…';
  budget.characters -= text.length + TEXT_COST;
  return yield* scrubText(text, depth, budget.bounds);
}

function affordable<Item>(items: readonly Item[], ending: Item, budget: Budget): readonly Item[] {
  const many = Math.max(0, budget.values);
  return items.length <= many ? items : [...items.slice(0, many), ending];
}

function* copyField(key: string, value: unknown, budget: Budget, depth: number): Steps<unknown> {
  if (isSecretName(key) && value !== null && typeof value !== 'boolean') return MASK;
  if (isPhone(key, value)) return maskPhone(`${value}`);
  return yield* copyScrubbed(value, budget, depth);
}

function isPhone(key: string, value: unknown): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (PHONE_NAME.test(key)) return PHONE.test(`${value}`);
  return RECIPIENT_NAME.test(key) && typeof value === 'string' && PHONE_WITHOUT_PLUS.test(value);
}
