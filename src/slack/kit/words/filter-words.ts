import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../failures/filter.ts';
import type { FilterKey, FilterMap } from '../../../lib/input/filters.ts';
import { MASK, maskEmail } from '../../../lib/text/mask.ts';
import { channelName, typedChannel } from '../../../service/channels.ts';
import type { Misfit } from '../../../service/query.ts';
import { code, joined, listed, type Markup, mrkdwn, type Optional, present } from '../text.ts';
import { capitalised } from './names.ts';

export const CASE_MATTERS = mrkdwn`Check upper and lower case, and the environment (${code('env:')}).`;

export function onlyWords(noun: string, names: readonly string[]): Markup[] {
  const codes = names.map((name) => code(name));
  return names.length === 0 ? [] : [mrkdwn`${noun} ${listed(codes, ' or ')}`];
}

const NOUNS: { [Key in FilterKey]?: string } = { tx: 'Transaction', context: 'Exactly the contexts' };

export function filterNames(filters: FilterMap): Markup[] {
  const words = (...keys: readonly FilterKey[]) =>
    keys.flatMap((key) => onlyWords(NOUNS[key] ?? capitalised(key), shownValues(key, filters[key] ?? [])));
  // The service returns events of subscribers that any of these finds.
  const people = words('subscriber', 'email', 'search');
  return present([
    ...words('workflow', 'channel', 'provider', 'topic', 'severity', 'tx', 'context'),
    joined(people, ' or '),
  ]);
}

/** A search can be a part of an address, so it's masked whole. */
function shownValues(key: FilterKey, values: readonly string[]): readonly string[] {
  if (key === 'search') return values.map(() => MASK);
  if (key === 'email') return values.map(maskEmail);
  if (key === 'channel') return values.map(typedChannel).map(channelName);
  return key === 'context' && values.length > 0 ? [values.join(', ')] : values;
}

export function filterWords(filter: FailureFilter, places: readonly Markup[] = []): Markup | null {
  const words = FILTER_NAMES.flatMap((name) => onlyWords(FAILURE_FILTERS[name].noun, filter[name]));
  const isMasked = FILTER_NAMES.some((name) => filter[name].some((value) => value.includes(MASK)));
  const alike = isMasked ? ' (masked: others may look the same)' : '';
  return words.length === 0 ? null : mrkdwn`Only ${joined([...words, ...places], ', ')}${alike}`;
}

export function ignoredFilters(misfits: readonly Misfit[] = []): Optional<Markup> {
  const keys = [...new Set(misfits.flatMap(({ filters }) => filters))].map((key) => code(`${key}:`));
  const left = misfits.length === 1 ? "One that doesn't fit was" : `${misfits.length} that don't fit were`;
  const filters = keys.length === 1 ? 'filter' : 'filters';
  return keys.length > 0 && mrkdwn`⚠️ The service ignored the ${filters} ${listed(keys, ' and ')}. ${left} left out.`;
}

export function didYouMean(similar: string | null): Markup {
  return similar === null ? mrkdwn`` : mrkdwn` Did you mean ${code(similar)}?`;
}
