import { CHANNELS, channelAsMeant } from '../delivery-channels.ts';
import { InputError } from '../errors.ts';
import { isAmong } from '../fold.ts';
import { PROVIDERS } from '../providers.ts';
import { EXAMPLES, type FilterKey } from './filters.ts';
import { looksLikeId } from './ids.ts';

/** `last 3 hours`, `45mins` */
const DURATION = /(?<!\S)(\d{1,6})\s*([smhdw])(?:ecs?|econds?|ins?|inutes?|rs?|ours?|ays?|eeks?)?(?!\S)/i;
/** What people write around a duration. */
const ABOUT_TIME = /^(?:in|for|the|last|past|ago|sec\w*|min\w*|hrs?|hours?|days?|weeks?)$/i;

/** What a word without a key was most likely meant for. */
const HINTS: readonly (readonly [FilterKey, (word: string) => boolean])[] = [
  ['channel', (word) => CHANNELS.some((channel) => channel === channelAsMeant(word))],
  ['severity', (word) => /^(?:high|medium|low)$/i.test(word)],
  ['provider', (word) => isAmong([word], PROVIDERS)],
  ['mention', (word) => /^[@<]/.test(word)],
  ['tx', (word) => looksLikeId(word) !== null],
];

/**
 * Throws an `InputError` for the first of `words`, for a command that accepts only filters. The example uses the word with the filter among
 * `allowed` that it names (`since=2h`) or looks like, else with `usual`.
 */
export function refuseWords(
  words: readonly string[],
  {
    command,
    allowed,
    usual,
  }: { readonly command: string; readonly allowed: readonly FilterKey[]; readonly usual: FilterKey },
): void {
  const [word] = words;
  if (word === undefined) return;
  const [, meant, value] = /^(\w+)[:=](.+)$/s.exec(word) ?? [];
  const named = allowed.find((key) => key === meant?.toLowerCase());
  if (named !== undefined) {
    throw new InputError(
      'filter',
      `${word} is not a filter: filters are written as key:value.`,
      `${command} ${named}:${value}`,
    );
  }
  const example = exampleFor(words, allowed, usual);
  throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, `${command} ${example}`);
}

function exampleFor(words: readonly string[], allowed: readonly FilterKey[], usual: FilterKey): string {
  const [word = '', next] = words;
  const named = allowed.find((key) => key === word.toLowerCase());
  if (named !== undefined) return next === undefined ? EXAMPLES[named] : `${named}:${next}`;
  if (allowed.includes('since') && (ABOUT_TIME.test(word) || DURATION.test(word))) {
    const [, amount, unit = ''] = DURATION.exec(words.join(' ')) ?? [];
    return amount === undefined ? EXAMPLES.since : `since:${amount}${unit.toLowerCase()}`;
  }
  const [key] = HINTS.find(([hinted, fits]) => allowed.includes(hinted) && fits(word)) ?? [usual];
  return `${key}:${word}`;
}
