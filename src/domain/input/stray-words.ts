import { CHANNELS, channelAsMeant } from '../delivery-channels.ts';
import { InputError } from '../errors.ts';
import { fold, isAmong } from '../fold.ts';
import { PROVIDERS } from '../providers.ts';
import { UNIT_NAMES } from '../unit-names.ts';
import { EXAMPLES, type FilterKey, writtenFilters } from './filters.ts';
import { looksLikeId } from './ids.ts';

/** What people write before what they mean: `in production`, `for order-shipped`. */
const BEFORE = /^(?:at|about|around|between|by|during|for|from|in|last|of|on|past|the|via|with)$/i;
/** What people write around a duration. */
const AROUND_DURATION = /^(?:ago|sec\w*|min\w*|hrs?|hours?|days?|weeks?)$/i;
/** `3 hours`, `45mins`, `1h30m` */
const DURATION = new RegExp(`(?<!\\S)(?:\\d{1,6}\\s*${UNIT_NAMES}(?:\\s+(?=\\d)|(?=\\d)|(?!\\S))){1,5}`, 'i');
/** `last hour` */
const LAST_UNIT = /(?<!\S)(?:last|past)\s+(h|d|w|m)(?:(?:ou)?r|ay|eek|inute)?(?!\S)/i;
const MOMENT = /^(?:now|today|yesterday|\d{1,2}:\d{2}(?::\d{2})?|\d{4}-\d{2}-\d{2}(?:T\S*)?)$/i;
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const HELP = /^(?:help|\?)$/i;
const INCIDENT_NUMBER = /^#\d+$/;
const ADDRESS = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/;

/** What a word without a key was most likely meant for. */
const HINTS: readonly (readonly [FilterKey, (word: string) => boolean])[] = [
  ['channel', (word) => CHANNELS.some((channel) => channel === channelAsMeant(word))],
  ['severity', (word) => /^(?:high|medium|low)$/i.test(word)],
  ['provider', (word) => isAmong([word], PROVIDERS)],
  ['mention', (word) => /^[@<]/.test(word)],
  ['email', (word) => ADDRESS.test(word)],
  ['tx', (word) => looksLikeId(word) !== null],
];

/** What a command takes. */
export interface TakenFilters {
  readonly command: string;
  readonly allowed: readonly FilterKey[];
  /** The filter that a word without a key is most likely meant for, if it looks like none. */
  readonly usual: FilterKey;
  /** The environments' names. */
  readonly environments: readonly string[];
}

/**
 * Throws an `InputError` for the first of `words`, for a command that accepts only filters. The example uses the word with the filter among
 * `allowed` that it names (`since=2h`) or looks like, else with `usual`.
 */
export function refuseWords(words: readonly string[], taken: TakenFilters): void {
  const { command, allowed } = taken;
  const [word, ...others] = words;
  if (word === undefined) return;
  if (INCIDENT_NUMBER.test(word))
    throw new InputError('filter', `${word} is the number of an incident, not a filter.`, `/notif ${word}`);
  if (HELP.test(word) && others.length === 0) {
    const example = command.replace(' ', ' help ');
    throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, example);
  }
  const [, meant, value] = /^-{0,2}(\w+)[:=](.+)/s.exec(word) ?? [];
  const named = allowed.find((key) => key === meant?.toLowerCase());
  if (named !== undefined) {
    throw new InputError(
      'filter',
      `${word} is not a filter: filters are written as key:value.`,
      `${command} ${named}:${value}`,
    );
  }
  const example = exampleFor([word, ...others], taken);
  throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, `${command} ${example}`);
}

function exampleFor(words: readonly [string, ...string[]], { allowed, usual, environments }: TakenFilters): string {
  const [word, ...others] = words;
  const [next] = others;
  const keyed = allowed.find((key) => key === word.replace(/^-{1,2}/, '').toLowerCase());
  // It's also the name of a channel.
  const named = keyed === 'email' && !ADDRESS.test(next ?? '') ? undefined : keyed;
  const times = named === 'since' ? timesIn(others, allowed) : null;
  if (times !== null) return times;
  if (named !== undefined) return next === undefined || !fits(named, next) ? EXAMPLES[named] : `${named}:${next}`;
  const meant = words.find((one) => !BEFORE.test(one));
  const environment = environments.find((name) => meant !== undefined && plain(name) === plain(meant));
  if (environment !== undefined && allowed.includes('env')) return `env:${environment}`;
  const ownTimes = allowed.includes('since') ? timesIn(words, allowed) : null;
  if (ownTimes !== null) return ownTimes;
  if (meant === undefined) return allowed.includes('since') ? EXAMPLES.since : EXAMPLES[usual];
  const [key] = HINTS.find(([hinted, hints]) => allowed.includes(hinted) && hints(meant)) ?? [usual];
  return writtenFilters({ [key]: [meant] });
}

/** A suggestion mustn't be refused in its turn, as `since:deploy` is. */
function fits(key: FilterKey, value: string): boolean {
  return (key !== 'since' && key !== 'until') || MOMENT.test(value) || /\d/.test(value);
}

/** 'EU_Prod' and 'eu-prod' are the same. */
function plain(name: string): string {
  return fold(name).replaceAll('_', '-');
}

/** Returns the filters for the times that words name, from their first on; null if that is none. */
function timesIn(words: readonly string[], allowed: readonly FilterKey[]): string | null {
  const first = words.find((word) => !BEFORE.test(word)) ?? '';
  const text = words.join(' ');
  const [from, to = DAY.test(from ?? '') ? from : undefined] = momentsIn(words);
  if (from !== undefined && momentsIn([first]).length > 0)
    return to === undefined || !allowed.includes('until') ? `since:${from}` : `since:${from} until:${to}`;
  const [length] = DURATION.exec(text) ?? [];
  if (length !== undefined && /^\d/.test(first)) return `since:${duration(length)}`;
  const [, unit] = LAST_UNIT.exec(text) ?? [];
  if (unit !== undefined) return `since:1${unit.toLowerCase()}`;
  return AROUND_DURATION.test(first) ? EXAMPLES.since : null;
}

/** Writes a duration as filters take it: `2 hours 30 minutes` is `2h30m`. */
function duration(length: string): string {
  return [...length.matchAll(/(\d+)\s*([a-z])/gi)]
    .map(([, amount, unit]) => `${amount}${unit}`)
    .join('')
    .toLowerCase();
}

/** Returns the moments among words as values, a day with the time after it as one: `02:00-03:00`, `2025-01-31 22:15`, `yesterday 22:15`. */
function momentsIn(words: readonly string[]): string[] {
  const moments: string[] = [];
  let before = '';
  for (const word of words.flatMap((one) => one.split(/(?<=:\d\d)-(?=\d)/))) {
    const isClock = CLOCK.test(word);
    if (isClock && DAY.test(before)) moments[moments.length - 1] = `${before}T${word}`;
    else if (isClock && /^(?:today|yesterday)$/i.test(before))
      moments[moments.length - 1] = `"${before.toLowerCase()} ${word}"`;
    else if (MOMENT.test(word)) moments.push(word.toLowerCase().replace(/(?<=\d)t/, 'T'));
    before = word;
  }
  return moments;
}
