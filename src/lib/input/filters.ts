import { nearest } from '../closed-list.ts';
import { InputError } from '../errors.ts';
import { escaped, referencesAsText, withoutSlackEscapes } from './slack-text.ts';

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
  domain: 'domain:gmail.com',
  tx: 'tx:txn_8f2c91',
  search: 'search:anna@',
  since: 'since:2h',
  until: 'until:12:30',
  from: 'from:02:00',
  env: 'env:staging',
  verdict: 'verdict:failed,bounced',
  min: 'min:5',
  within: 'within:10m',
  rate: 'rate:5%',
  every: 'every:15m',
  escalate: 'escalate:10m',
  mention: 'mention:@oncall',
  quiet: 'quiet:22:00-07:00',
  'quiet-days': 'quiet-days:sat-sun',
  tz: 'tz:Europe/Berlin',
  summary: 'summary:09:00',
  thread: 'thread:off',
  'all-clear': 'all-clear:on',
  changes: 'changes:on',
  silence: 'silence:all',
  sort: 'sort:oldest',
  by: 'by:workflow',
  target: 'target:99.5',
  unseen: 'unseen:',
  vs: 'vs:last-week',
} as const;

/** Alone, `unseen:` says all. */
const VALUES_ALONE: Readonly<Record<string, string>> = { unseen: 'yes' };

export type FilterKey = keyof typeof EXAMPLES;
export const FILTER_KEYS = Object.keys(EXAMPLES) as readonly FilterKey[];
export type FilterMap = { [K in FilterKey]?: readonly string[] };

export class FilterError extends InputError {
  readonly rule: string;

  constructor(key: FilterKey, rule: string, example: string = EXAMPLES[key]) {
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
const MAX_SHOWN = 40;

/** Without `taken`, text is to be looked up: in `Error: send failed`, `Error:` is no filter. */
export function parseCommandText(text: string, taken: FiltersTaken | null = null): CommandText {
  const words: string[] = [];
  const filters = new Map<FilterKey, string[]>();
  for (const piece of withoutSlackEscapes(text.replaceAll('`', ''))
    .replace(UNIT_APART, (_, number: string) => number)
    .match(/(?:"[^"]*"?|[^\s"])+/g) ?? []) {
    const [, typedKey = '', list = ''] = KEY_AND_VALUE.exec(piece) ?? [];
    const key = typedKey.toLowerCase();
    if (isFilterKey(key)) {
      const typed = list === '' ? (VALUES_ALONE[key] ?? '') : list;
      const values = (typed.match(/(?:"[^"]*"?|[^,"])+/g) ?? []).map(unquoted).filter((value) => value !== '');
      if (values.length === 0) throw new FilterError(key, 'has no value.');
      filters.set(key, [...(filters.get(key) ?? []), ...(key === 'mention' ? values : values.map(referencesAsText))]);
    } else {
      const isArgument = taken?.takesArgument === true && words.length === 1;
      if (!isArgument) refuseFilter(key, taken);
      const word = referencesAsText(unquoted(piece));
      if (word !== '') words.push(word);
    }
  }
  return { words, filters: Object.fromEntries(filters) };
}

function isFilterKey(key: string): key is FilterKey {
  return FILTER_KEYS.some((known) => known === key);
}

function refuseFilter(typed: string, taken: FiltersTaken | null) {
  if (typed === '') return;
  const similar = nearest(typed, taken?.filters ?? FILTER_KEYS);
  const key = typed.slice(0, MAX_SHOWN);
  if (similar !== null)
    throw new InputError(key, `${key}: isn't a filter. Did you mean ${similar}:?`, EXAMPLES[similar]);
  if (taken !== null) throw notTaken(key, taken);
}

const unquoted = (piece: string) => piece.replaceAll('"', '').trim();
export const plainTyped = (text: string): string => referencesAsText(withoutSlackEscapes(text)).trim();

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
  const usual = first === undefined ? command : `${command} ${EXAMPLES[first]}`;
  return new InputError(key, `${command} can't filter by ${key}:. It takes ${list}.`, example ?? usual);
}
