import { nearest } from '../closed-list.ts';
import { InputError } from '../errors.ts';
import { escaped, referencesAsText, withoutSlackEscapes } from './slack-text.ts';

/** An example of each, and what its value chooses or, as a watch's setting, does. */
const FILTERS = {
  workflow: ['workflow:order-shipped', 'workflows, by identifier or name'],
  channel: ['channel:email,sms', 'email, sms, push, chat, in-app'],
  provider: ['provider:sendgrid', 'provider IDs'],
  subscriber: ['subscriber:user-0042', 'subscriber IDs, as triggered'],
  email: ['email:anna@example.com', 'email addresses, whose subscribers are looked up'],
  topic: ['topic:launch', 'keys of topics'],
  severity: ['severity:high', 'high, medium, low, none'],
  context: ['context:tenant:acme', "a context's name and value"],
  tag: ['tag:checkout', 'tags of workflows'],
  domain: ['domain:gmail.com', 'mail domains of recipients (of three or more people), or ios for pushes by APNs'],
  tx: ['tx:txn_8f2c91', 'transaction IDs'],
  search: ['search:anna@', 'a part of an email address, or a subscriber ID'],
  since: ['since:2h', 'from when: 30m, 2h, 7d, 12:30, yesterday, a date'],
  until: ['until:12:30', 'to when, in the same ways'],
  from: ['from:02:00', 'when a planned mute begins'],
  env: ['env:staging', 'an environment'],
  verdict: ['verdict:failed,bounced', 'how it failed'],
  min: ['min:5', 'the fewest failures that alert'],
  within: ['within:10m', 'the time in which they happen; 10m without it'],
  rate: ['rate:5%', "the least share of a workflow's events that failed"],
  every: ['every:15m', 'the shortest time between alerts'],
  escalate: ['escalate:10m', 'how long a critical one stays unacknowledged before it mentions again'],
  mention: ['mention:@oncall', 'whom alerts mention: a person, a user group, or me'],
  quiet: ['quiet:22:00-07:00', 'hours without alerts; you get what you missed at their end'],
  'quiet-days': ['quiet-days:sat-sun', 'days of the week without alerts'],
  tz: ['tz:Europe/Berlin', 'the time zone of quiet: and summary:'],
  summary: ['summary:09:00', 'when the daily summary comes, weekly-mon-09:00 for a weekly one, or off'],
  thread: ['thread:off', "whether an alert's thread tells what happened: on or off"],
  'all-clear': ['all-clear:on', 'whether the channel sees when it ends: on or off'],
  changes: ['changes:on', 'whether deploys and changes are posted: on or off'],
  silence: ['silence:all', 'which silent workflows are reported: critical, all or off'],
  sort: ['sort:oldest', 'newest or oldest first'],
  by: ['by:workflow', 'provider, channel, workflow or domain'],
  target: ['target:99.5', 'the percentage of attempts that should succeed, for the weekly summary'],
  unseen: ['unseen:', 'without a value: what nobody acknowledged, assigned, noted or resolved'],
  vs: ['vs:last-week', 'what to compare with: last-week, before, a day, or from/to'],
} as const;

/** Alone, `unseen:` says all. */
const VALUES_ALONE: Readonly<Record<string, string>> = { unseen: 'yes' };

export type FilterKey = keyof typeof FILTERS;
export const FILTER_KEYS = Object.keys(FILTERS) as readonly FilterKey[];
export const exampleOf = (key: FilterKey): string => FILTERS[key][0];
export const meaningOf = (key: FilterKey): string => FILTERS[key][1];
export type FilterMap = { [K in FilterKey]?: readonly string[] };

export class FilterError extends InputError {
  readonly rule: string;

  constructor(key: FilterKey, rule: string, example: string = exampleOf(key)) {
    super(key, `${key}: ${rule}`, example);
    this.rule = rule;
  }
}

interface FiltersTaken {
  command: string;
  filters: readonly FilterKey[];
  example?: string | undefined;
  /** The first word after the command can be `project:42`. */
  takesArgument?: boolean;
}

export interface CommandText {
  words: readonly string[];
  filters: FilterMap;
}

const KEY_AND_VALUE = /^([\p{L}_][\p{L}\p{N}_-]*):(?!\/\/)(.*)$/su;
/** `since:2 h`, `rate:5 %` */
const UNIT_APART = /((?<!\S)(?:since|within|rate|every|escalate):\d+)\s+(?=(?:[mhd]|min|%)(?!\S))/gi;
/** An unknown key is quoted up to here. */
const MAX_SHOWN = 40;
/** `workflow:"Order shipped",welcome` is one of the pieces between blanks, and has two values between commas. */
const PIECES = /(?:"[^"]*"?|[^\s"])+/g;
const VALUES = /(?:"[^"]*"?|[^,"])+/g;

/** Without `taken`, text is to be looked up: in `Error: send failed`, `Error:` is no filter. */
export function parseCommandText(text: string, taken: FiltersTaken | null = null): CommandText {
  const words: string[] = [];
  const filters = new Map<FilterKey, string[]>();
  const plain = withoutSlackEscapes(text.replaceAll('`', '')).replace(UNIT_APART, (_, number: string) => number);
  for (const piece of plain.match(PIECES) ?? []) {
    const [, typedKey = '', list = ''] = KEY_AND_VALUE.exec(piece) ?? [];
    const key = typedKey.toLowerCase();
    if (isFilterKey(key)) filters.set(key, [...(filters.get(key) ?? []), ...valuesIn(list, key)]);
    else {
      const isArgument = taken?.takesArgument === true && words.length === 1;
      if (!isArgument) refuseFilter(key, taken);
      const word = referencesAsText(unquoted(piece));
      if (word !== '') words.push(word);
    }
  }
  return { words, filters: Object.fromEntries(filters) };
}

function valuesIn(list: string, key: FilterKey): string[] {
  const typed = list === '' ? (VALUES_ALONE[key] ?? '') : list;
  const values = (typed.match(VALUES) ?? []).map(unquoted).filter((value) => value !== '');
  if (values.length === 0) throw new FilterError(key, 'has no value.');
  // A mention needs the ID of whom it mentions.
  return key === 'mention' ? values : values.map(referencesAsText);
}

function isFilterKey(key: string): key is FilterKey {
  return FILTER_KEYS.some((known) => known === key);
}

function refuseFilter(typed: string, taken: FiltersTaken | null) {
  if (typed === '') return;
  const similar = nearest(typed, taken?.filters ?? FILTER_KEYS);
  const key = typed.slice(0, MAX_SHOWN);
  if (similar !== null)
    throw new InputError(key, `${key}: isn't a filter. Did you mean ${similar}:?`, exampleOf(similar));
  if (taken !== null) throw notTaken(key, taken);
}

const unquoted = (piece: string) => piece.replaceAll('"', '').trim();
/** What was typed, without what Slack and phones make of it. */
export const plainTyped = (text: string): string => referencesAsText(withoutSlackEscapes(text)).trim();

/** The text that `parseCommandText` reads as these words and filters. */
export function commandText(words: readonly string[], filters: FilterMap): string {
  const quoted = (text: string) => `"${escaped(text)}"`;
  const [command = '', ...others] = words;
  const values = Object.entries(filters).filter(([, list]) => list.length > 0);
  return [command, ...others.map(quoted), ...values.map(([key, list]) => `${key}:${list.map(quoted)}`)].join(' ');
}

export function refuseOthers(
  filters: FilterMap,
  allowed: readonly FilterKey[],
  command: string,
  example?: string,
): void {
  const refused = FILTER_KEYS.find((key) => filters[key] !== undefined && !allowed.includes(key));
  if (refused !== undefined) throw notTaken(refused, { command, filters: allowed, example });
}

export function onlyValue(key: FilterKey, filters: FilterMap): string | undefined {
  const [value, ...others] = filters[key] ?? [];
  if (others.length > 0) throw new FilterError(key, 'takes one value here.', `${key}:${value ?? ''}`);
  return value;
}

function notTaken(key: string, { command, filters, example }: FiltersTaken) {
  const [first] = filters;
  const list = first === undefined ? 'no filters' : filters.map((taken) => `${taken}:`).join(', ');
  const usual = first === undefined ? command : `${command} ${exampleOf(first)}`;
  return new InputError(key, `${command} can't filter by ${key}:. It takes ${list}.`, example ?? usual);
}
