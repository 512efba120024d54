import { nearest } from '../closed-list.ts';
import { InputError } from '../errors.ts';
import { looksLikeId } from './ids.ts';
import { asText, withoutSlackEscapes } from './slack-text.ts';

/** An example of each filter, in the order in which filters are named. */
export const EXAMPLES = {
  workflow: 'workflow:order-shipped',
  channel: 'channel:email,sms',
  provider: 'provider:sendgrid',
  subscriber: 'subscriber:user-0042',
  email: 'email:anna@example.com',
  topic: 'topic:launch',
  severity: 'severity:high',
  context: 'context:tenant:acme',
  tag: 'tag:checkout',
  tx: 'tx:txn_8f2c91',
  search: 'search:anna@',
  since: 'since:2h',
  until: 'until:12:30',
  env: 'env:staging',
  verdict: 'verdict:failed,bounced',
  min: 'min:5',
  within: 'within:10m',
  rate: 'rate:5%',
  every: 'every:15m',
  mention: 'mention:@oncall',
  quiet: 'quiet:22:00-07:00',
  tz: 'tz:Europe/Berlin',
  summary: 'summary:09:00',
  thread: 'thread:off',
  'all-clear': 'all-clear:on',
  changes: 'changes:on',
  sort: 'sort:oldest',
} as const;

export type FilterKey = keyof typeof EXAMPLES;
export const FILTER_KEYS = Object.keys(EXAMPLES) as readonly FilterKey[];
export type FilterMap = { readonly [K in FilterKey]?: readonly string[] };

/** The filters that a command takes; `command` is what the person typed, e.g. `/notif integrations`. */
export interface FiltersTaken {
  readonly command: string;
  readonly filters: readonly FilterKey[];
}

export interface CommandText {
  readonly words: readonly string[];
  readonly filters: FilterMap;
}

/** One word of a command with its quotes; quoted text stays together. */
const PIECES = /(?:"[^"]*"?|(?<=^|[\s:,])'[^']*'|[^\s"])+/g;
const KEY_AND_VALUE = /^([\p{L}_][\p{L}\p{N}_-]*):(?!\/\/)(.*)$/su;
const VALUES = /(?:"[^"]*"?|(?<=^|[:,])'[^']*'|[^,"])+/g;
const MAX_SHOWN = 40;

/**
 * Parses a command's text into words and filters (`key:value`). Values may be quoted, several are separated by commas, and a repeated key
 * adds to the first. Undoes what phones and Slack change in typed text: typographic quotes, dashes and spaces, links around addresses,
 * references for an `@`; only `mention:` keeps those. Omits code marks. A web address, a time or an ID with a colon is a word, and so is
 * anything in quotes that isn't empty. Throws an `InputError` for a filter that doesn't exist, which names those of the command, or has no value.
 */
export function parseCommandText(text: string, taken?: FiltersTaken): CommandText {
  return parse(text, () => false, taken);
}

const ID_LABEL = /^(?:(?:transaction|event|evt|notification|subscriber|txn?)(?:[_-]?id)?|id)$/i;

/** Labels in what people paste are words: `Event ID: 65f2…`, `Error: send failed`. What may be a mistyped filter is still refused. */
export function parseLookupText(text: string, taken?: FiltersTaken): CommandText {
  const isLabel = (key: string, value: string) =>
    ID_LABEL.test(key) || (value === '' && nearest(key, FILTER_KEYS) === null);
  return parse(text, isLabel, taken);
}

type IsWord = (key: string, value: string) => boolean;

function parse(text: string, isWord: IsWord, taken: FiltersTaken | undefined): CommandText {
  const words: string[] = [];
  const filters = new Map<FilterKey, string[]>();
  for (const piece of joined(withoutSlackEscapes(text.replaceAll('`', '')).match(PIECES) ?? [])) {
    const filter = filterOf(piece, isWord, taken);
    const word = filter === null ? asText(unquoted(piece)) : '';
    if (word !== '') words.push(word);
    if (filter !== null) filters.set(filter.key, [...(filters.get(filter.key) ?? []), ...filter.values]);
  }
  return { words, filters: Object.fromEntries(filters) };
}

/** Joins a value with its `key:` or its comma if a space was typed between them. Omits commas and semicolons that stand alone or end a value. */
function joined(pieces: readonly string[]): string[] {
  const whole: string[] = [];
  for (const piece of pieces) {
    const before = whole.at(-1) ?? '';
    const isMore = piece.startsWith(',') || (/[:,]$/.test(before) && !isFilter(piece) && piece !== ';');
    if (isFilter(before) && isMore) whole[whole.length - 1] = before + piece;
    else if (!/^[,;]+$/.test(piece)) whole.push(isFilter(piece) ? piece.replace(/;+$/, '') : piece);
  }
  return whole;
}

function isFilter(piece: string): boolean {
  return isFilterKey(KEY_AND_VALUE.exec(piece)?.[1]?.toLowerCase() ?? '');
}

function isFilterKey(key: string): key is FilterKey {
  return FILTER_KEYS.some((known) => known === key);
}

function filterOf(piece: string, isWord: IsWord, taken: FiltersTaken | undefined) {
  const [, typedKey, list] = KEY_AND_VALUE.exec(piece) ?? [];
  if (typedKey === undefined || list === undefined) return null;
  const key = typedKey.toLowerCase();
  if (!isFilterKey(key)) {
    if (isIdWithColon(piece, typedKey, list) || isWord(typedKey, list)) return null;
    throw unknownFilter(typedKey.slice(0, MAX_SHOWN), taken);
  }
  const typed = (list.match(VALUES) ?? []).map((value) => unquoted(value.trim())).filter((value) => value !== '');
  if (typed.length === 0) throw new InputError(key, `${key}: has no value.`, EXAMPLES[key]);
  return { key, values: key === 'mention' ? typed : typed.map(asText) };
}

/** A typo in the key of a filter is likelier. */
function isIdWithColon(piece: string, key: string, rest: string): boolean {
  return nearest(key, FILTER_KEYS) === null && looksLikeId(rest) !== null && looksLikeId(piece) !== null;
}

function unknownFilter(key: string, taken: FiltersTaken | undefined): InputError {
  const similar = nearest(key, taken?.filters ?? FILTER_KEYS);
  if (similar !== null)
    return new InputError(key, `${key}: isn't a filter. Did you mean ${similar}:?`, EXAMPLES[similar]);
  const help =
    taken === undefined
      ? 'The help of a command lists its filters.'
      : `${taken.command} takes ${listed(taken.filters)}.`;
  return new InputError(
    key,
    `${key}: isn't a filter. ${help}`,
    taken === undefined ? '/notif help failures' : exampleOf(taken),
  );
}

/** `'a b'`, `"a b"`, `tenant:'acme corp'` */
function unquoted(piece: string): string {
  const [, double, single] = /^(?:"([^"]*)"?|'([^']*)')$/.exec(piece) ?? [];
  return double ?? single ?? piece.replaceAll('"', '').replace(/(?<=:)'([^']*)'$/, '$1');
}

export function plainTyped(text: string): string {
  return asText(withoutSlackEscapes(text)).trim();
}

/** Throws an `InputError` that names the first filter that `command`, as typed (`/notif integrations`), can't apply, and those it can. */
export function refuseOthers(filters: FilterMap, allowed: readonly FilterKey[], command: string): void {
  const refused = FILTER_KEYS.find((key) => filters[key] !== undefined && !allowed.includes(key));
  if (refused === undefined) return;
  const what = `${command} can't filter by ${refused}:. It takes ${listed(allowed)}.`;
  throw new InputError(refused, what, exampleOf({ command, filters: allowed }));
}

/** Returns the single value of a filter; undefined if it was not given. Throws an `InputError` for several. */
export function onlyValue(key: FilterKey, filters: FilterMap): string | undefined {
  const [value, ...others] = filters[key] ?? [];
  if (others.length > 0) throw new InputError(key, `${key}: takes one value here.`, `${key}:${value ?? ''}`);
  return value;
}

function exampleOf({ command, filters: [first] }: FiltersTaken): string {
  return first === undefined ? command : `${command} ${EXAMPLES[first]}`;
}

function listed(keys: readonly FilterKey[]): string {
  return keys.length === 0 ? 'no filters' : keys.map((key) => `${key}:`).join(', ');
}
