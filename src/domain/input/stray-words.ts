import { CHANNELS, channelAsMeant } from '../delivery-channels.ts';
import { InputError } from '../errors.ts';
import type { FilterKey } from './filters.ts';
import { looksLikeId } from './ids.ts';

/** What a word without a key was most likely meant for. */
const HINTS: readonly (readonly [FilterKey, (word: string) => boolean])[] = [
  ['channel', (word) => CHANNELS.some((channel) => channel === channelAsMeant(word))],
  ['severity', (word) => /^(?:high|medium|low)$/i.test(word)],
  ['since', (word) => /^\d+[mhdw]$/i.test(word)],
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
  const [key] = HINTS.find(([hinted, fits]) => allowed.includes(hinted) && fits(word)) ?? [usual];
  throw new InputError('filter', `${word} is not a filter: ${command} takes key:value.`, `${command} ${key}:${word}`);
}
