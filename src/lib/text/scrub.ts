import { BARE_NUMBER, CONTACT_PASSES, MASK, maskPhone } from './mask.ts';
import { isSecretName, SECRET_PASSES } from './secrets.ts';
import { VISIBLE_PASSES } from './visible-text.ts';

/** Work in steps, between which others can use the process. Each step yields how many characters it processed. */
export type Steps<Result> = Generator<number, Result, undefined>;

/** How many characters may be processed, in one or several steps, before others get their turn. */
const CHARACTERS_A_TURN = 10_000;

/** Runs all steps at once, for work with a short bound. */
export function finished<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs all steps, with a `pause` (`setImmediate` from `node:timers/promises`) about every 10,000 characters. */
export async function paced<Result>(steps: Steps<Result>, pause: () => Promise<unknown>): Promise<Result> {
  let characters = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    characters += step.value;
    if (characters < CHARACTERS_A_TURN) continue;
    characters = 0;
    await pause();
  }
}

/** The maximum length of a scrubbed text: Slack shows 3,000 characters in a section, and the sentence around it needs some. */
export const SCRUBBED_LENGTH = 2_000;

interface Bounds {
  readonly read: number;
  readonly kept: number;
  /** For a JSON value: the number of values, and of characters, with `TEXT_COST` added for each text and key. */
  readonly values: number;
  readonly characters: number;
}

/** Providers respond with 100 kB, and the explanation of a failure is at the top. All of it is processed in one step. */
const USUAL: Bounds = { read: 8_000, kept: SCRUBBED_LENGTH, values: 2_000, characters: 8_000 };

/** For people who want to see all of it. One pass over a text is one step: `bench/` keeps it under 10 ms at this bound. */
const IN_FULL: Bounds = { read: 50_000, kept: 50_000, values: 10_000, characters: 400_000 };

/** A short text costs as much as one of this many characters. */
const TEXT_COST = 40;

const MAX_DEPTH = 8;

/** One mask may uncover something for another; two rounds are typical. */
const MAX_ROUNDS = 8;

const PHONE_NAME = /phone|mobile|msisdn|whatsapp/i;
const PHONE = /^\+?\d[\d ()./-]{5,20}\d$/;
/** Field names that SMS and WhatsApp providers use for a phone number; elsewhere they may be dates or times. */
const RECIPIENT_NAME =
  /^(?:to|from|src|dst|dest(?:ination)?s?|numbers?|recipients?|originator|tel|cell|wa[-_]?ids?|recipient[-_]?id|(?:to|from|source|dest(?:ination)?|recipient|sender|contact|cell)[-_]?(?:number|address)s?)$/i;
const PHONE_WITHOUT_PLUS = /^\d{10,15}$/;
/** A number in JSON, unlike a text of digits, is often a time. */
const PHONE_AS_NUMBER = new RegExp(`^${BARE_NUMBER}$`);

/** A list of headers or variables has an object for each: `{"name": "X-Api-Key", "value": "…"}`. */
const NAME_FIELD = /^(?:name|key|header)$/i;
const VALUE_FIELD = /^value$/i;
/** In Node's `rawHeaders`, and in pairs, a header's value is the item after its name. */
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{1,60})$/i;

function isSecretHeader(name: unknown): boolean {
  return typeof name === 'string' && HEADER.test(name) && isSecretName(name);
}

interface Budget {
  readonly bounds: Bounds;
  values: number;
  characters: number;
}

/** Returns one line of at most `SCRUBBED_LENGTH` characters. JSON stays JSON unless cut. Scrubbing twice changes nothing. Never throws. */
export function scrub(text: string): string {
  return finished(scrubText(text, 0, USUAL));
}

/** Like `scrub`, but for up to 50,000 characters, in steps, ending with a note on how many were omitted. */
export function* scrubInFull(text: string): Steps<string> {
  const beyond = text.length - IN_FULL.read;
  const scrubbed = yield* scrubText(text, 0, IN_FULL);
  return beyond > 0 ? `${scrubbed} (${beyond} more characters are not shown)` : scrubbed;
}

/** Beyond eight levels, 2,000 values or 8,000 characters it ends with `…`. Values that JSON doesn't have become null. */
export function scrubValue(value: unknown): unknown {
  return finished(copyScrubbed(value, budgetOf(USUAL), 0));
}

/** Like `scrubValue`, but for up to 10,000 values and 400,000 characters, in steps. */
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
    // It isn't JSON, so it is treated as text.
    return undefined;
  }
}

/** Returns the part of a text that is read, to before its last word or number: the beginning of a secret would look like a word. */
function firstPart(text: string, read: number): string {
  if (text.length <= read) return text;
  let end = read;
  while (end > 0 && !/[\s"'<>]/.test(text.charAt(end - 1))) end--;
  while (/[\s\d+()./-]/.test(text.charAt(end - 1))) end--;
  return `${text.slice(0, end)}…`;
}

function shortened(text: string, kept: number): string {
  if (text.length <= kept) return text;
  return `${text.slice(0, kept - 1).replace(/[\s\p{Cs}]+$/u, '')}…`;
}

/** `key`: the name of the field that the value, or the list with it, is in. */
function* copyScrubbed(value: unknown, budget: Budget, depth: number, key = ''): Steps<unknown> {
  if (budget.values-- <= 0) return '…';
  if (isPhone(key, value)) return maskPhone(`${value}`);
  if (typeof value === 'string') return yield* affordableText(value, depth, budget);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return yield* copyItems(affordable(value, '…', budget), budget, depth + 1, key);
  return yield* copyFields(affordable(Object.entries(value), ['…', '…'], budget), budget, depth + 1);
}

function* copyItems(items: readonly unknown[], budget: Budget, depth: number, key: string): Steps<unknown[]> {
  const copy: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const isSecret = typeof item === 'string' && isSecretHeader(items[index - 1]);
    copy.push(isSecret ? MASK : yield* copyScrubbed(item, budget, depth, key));
  }
  return copy;
}

function* copyFields(fields: readonly (readonly [string, unknown])[], budget: Budget, depth: number): Steps<object> {
  const copy: [string, unknown][] = [];
  const isNamed = fields.some(([key, name]) => NAME_FIELD.test(key) && typeof name === 'string' && isSecretName(name));
  for (const [key, value] of fields) {
    const isSecret = isNamed && typeof value === 'string' && VALUE_FIELD.test(key);
    const shownKey = yield* affordableText(key, MAX_DEPTH, budget);
    copy.push([shownKey, isSecret ? MASK : yield* copyField(key, value, budget, depth)]);
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
  return yield* copyScrubbed(value, budget, depth, key);
}

function isPhone(key: string, value: unknown): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (PHONE_NAME.test(key)) return PHONE.test(`${value}`);
  return (
    RECIPIENT_NAME.test(key) && (typeof value === 'string' ? PHONE_WITHOUT_PLUS : PHONE_AS_NUMBER).test(`${value}`)
  );
}

/** External text: everything, including `JSON.stringify` and template strings, passes the scrubber. */
export class FreeText {
  readonly #original: string;
  #scrubbed: string | undefined;

  constructor(original: string) {
    this.#original = original;
  }

  /** Returns the text without secrets, contacts and markup, at most `SCRUBBED_LENGTH` characters. */
  toString(): string {
    this.#scrubbed ??= scrub(this.#original);
    return this.#scrubbed;
  }

  toJSON(): string {
    return this.toString();
  }
}

const LONGEST_LINE = 300;
/** The most characters of a longer text that are read. */
const LOOKED_AT = 20_000;

/** The first line, scrubbed, at most 300 characters. Without double-quoted text, since libraries quote the values they object to. */
export function logLine(text: string): string {
  const firstLine = text.slice(0, LOOKED_AT).replace(/[\r\n].*/s, '');
  const withoutValues = firstLine.replace(/"[^"]*("|$)/g, '"…"');
  return scrub(withoutValues).slice(0, LONGEST_LINE);
}
