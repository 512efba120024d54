import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, type FilterName } from '../../judging/filter.ts';
import type { FilterKey, FilterMap } from '../../lib/input/filters.ts';
import { MASK, maskEmail } from '../../lib/text/mask.ts';
import { channelKey, channelName } from '../../service/channels.ts';
import type { Misfit } from '../../service/query.ts';
import { capitalized } from './names.ts';
import { code, type Inserted, joined, listed, type Markup, mrkdwn, plural, present } from './text.ts';

export const CASE_MATTERS = mrkdwn`Check upper and lower case, and the environment (${code('env:')}).`;

export function anyOfWords(noun: string, names: readonly string[]): Markup[] {
  const codes = names.map((name) => code(name));
  return codes.length === 0 ? [] : [mrkdwn`${noun} ${listed(codes, ' or ')}`];
}

const NOUNS: { [Name in FilterName]?: string } = { contexts: 'exactly the contexts' };

export function typedFilterWords(filters: FilterMap): Markup[] {
  const words = (key: FilterKey, noun: string = key) =>
    anyOfWords(capitalized(noun), shownValues(key, filters[key] ?? []));
  return present([
    ...FILTER_NAMES.flatMap((name) => {
      const { key, noun } = FAILURE_FILTERS[name];
      return key === 'subscriber' ? [] : words(key, NOUNS[name] ?? noun);
    }),
    // The service returns what any of these finds.
    joined(
      (['subscriber', 'email', 'search'] as const).flatMap((key) => words(key)),
      ' or ',
    ),
  ]);
}

/** Masks searches whole: they can be part of an address. */
function shownValues(key: FilterKey, values: readonly string[]): readonly string[] {
  if (key === 'search') return values.map(() => MASK);
  if (key === 'email') return values.map(maskEmail);
  if (key === 'channel') return values.map(channelKey).map(channelName);
  return key === 'context' && values.length > 0 ? [values.join(', ')] : values;
}

export function filterWords(filter: FailureFilter, places: readonly Markup[] = []): Markup | null {
  const words = FILTER_NAMES.flatMap((name) => anyOfWords(FAILURE_FILTERS[name].noun, filter[name]));
  const alike = words.some((word) => `${word}`.includes(MASK)) ? ' (masked: others may look the same)' : '';
  return words.length === 0 ? null : mrkdwn`Only ${joined([...words, ...places], ', ')}${alike}`;
}

export function ignoredFilters(misfits: readonly Misfit[] = []): Markup | null {
  const keys = [...new Set(misfits.flatMap(({ filters }) => filters))].map((key) => code(`${key}:`));
  const left = plural(misfits.length, 'result');
  return keys.length === 0 ? null : mrkdwn`⚠️ The service ignored ${listed(keys, ' and ')}. Left out: ${left}.`;
}

export function didYouMean(similar: string | null): Inserted {
  return similar === null ? '' : mrkdwn` Did you mean ${code(similar)}?`;
}
