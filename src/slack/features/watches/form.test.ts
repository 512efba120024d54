import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { InputError } from '../../../lib/errors.ts';
import { parseWatchSettings, problemsWith, WATCH_KEYS } from '../../../watches/parse-settings.ts';
import { EVERYTHING, filtersOf, UNFILTERED, type WatchSettings } from '../../../watches/settings.ts';
import { expectView, PRODUCTION, STAGING, wordsOf } from '../../slack.testing.ts';
import { errorsUnder, parseFormMetadata, parseWatchForm, watchView } from './form.ts';

const environments = [PRODUCTION, STAGING];
const userGroups = [{ id: 'S0ONCALL', handle: 'oncall' }];
const viewOf = (settings: WatchSettings, offered = environments) =>
  watchView({
    watchId: 'w',
    filters: filtersOf(settings),
    was: 'k',
    environments: offered,
    userGroups,
    channels: ['fax'],
    note: null,
    preview: null,
  });

const Option = z.object({ value: z.string() });
const Input = z.object({
  type: z.literal('input'),
  block_id: z.string(),
  element: z.object({
    initial_value: z.string().optional(),
    initial_user: z.string().optional(),
    initial_time: z.string().optional(),
    initial_option: Option.optional(),
    initial_options: z.array(Option).default([]),
  }),
});

function unchanged(settings: WatchSettings, offered = environments) {
  const inputs = viewOf(settings, offered).blocks.map((block) => Input.safeParse(block).data);
  const valuesIn = (blockId: string) => {
    const element = inputs.find((input) => input?.block_id === blockId)?.element;
    const one = [element?.initial_value, element?.initial_user, element?.initial_time, element?.initial_option?.value];
    return [...one, ...(element?.initial_options ?? []).map(({ value }) => value)].filter(
      (value) => value !== undefined,
    );
  };
  return { valuesIn, valueIn: (blockId: string) => valuesIn(blockId)[0] ?? null };
}

describe("a watch's form", () => {
  test.each<[title: string, settings: Partial<WatchSettings>]>([
    ['of everything', {}],
    [
      'with a filter',
      { filter: { ...EVERYTHING, environments: ['staging'], workflows: ['a, b', 'c'], verdicts: ['bounced'] } },
    ],
    ['of subscribers', { filter: { ...EVERYTHING, subscribers: ['user-42', 'a•••@example.com'] } }],
    [
      'with names that menus offer, and others',
      { filter: { ...EVERYTHING, channels: ['pigeon', 'email'], severities: ['high', 'dire'] } },
    ],
    ['with a threshold', { threshold: { failures: 5, withinMs: 3_600_000, rate: 0.025 } }],
    ['for a person', { mention: { kind: 'person', id: 'U0ANN' } }],
    ['for a user group', { mention: { kind: 'user-group', id: 'S0ONCALL' } }],
    ['for a user group that Slack does not tell of', { mention: { kind: 'user-group', id: 'S0GONE' } }],
    ['with times', { quiet: { from: 1320, to: 420 }, summaryAt: 17 * 60, timeZone: 'Asia/Tokyo', everyMs: 900_000 }],
    ['without a summary', { summaryAt: null }],
    ['without threads', { hasThread: false }],
    ['with all-clears', { hasAllClear: true }],
    ['with changes', { hasChanges: true }],
  ])('changes nothing of a watch %s when submitted unchanged', (_title, change) => {
    const settings = { ...UNFILTERED, ...change };
    const { email, ...filters } = parseWatchForm(unchanged(settings));
    expect(email).toBeUndefined();
    expect(parseWatchSettings(filters, { environments, usualEnvironments: [], timeZone: 'UTC' })).toEqual(settings);
  });

  test('takes names without what a page or a phone adds', () => {
    const typed: Readonly<Record<string, string>> = {
      'watch.subscriber': '\u200buser-1\n“user-2”\n`user-3`\u00a0\n\u200b',
      'watch.email': '\u2068anna@example.com\u2069',
      'watch.min': '\u200b5',
    };
    const form = parseWatchForm({ valueIn: (blockId) => typed[blockId] ?? null, valuesIn: () => [] });
    expect(form).toMatchObject({ subscriber: ['user-1', 'user-2', 'user-3'], email: ['anna@example.com'], min: ['5'] });
  });

  test("keeps a watch's environment that is no longer configured, and reports it under its field", () => {
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, environments: ['old-staging'] } };
    expect(wordsOf(viewOf(settings))).toContain('old-staging (not configured)');
    const filters = parseWatchForm(unchanged(settings));
    expect(filters.env).toEqual(['old-staging']);
    const problems = problemsWith(filters, { environments, usualEnvironments: [], timeZone: 'UTC' });
    expect(errorsUnder(problems)['watch.env']).toContain('There is no environment old-staging.');
  });

  test.each([1, 99, 100, 101, 250])("keeps a watch's environment, the last of %d that are configured", (count) => {
    const all = Array.from({ length: count }, (_, index) => ({ ...STAGING, name: `shop-${index + 1}` }));
    const settings = { ...UNFILTERED, filter: { ...EVERYTHING, environments: [`shop-${count}`] } };
    expectView(viewOf(settings, all));
    expect(parseWatchForm(unchanged(settings, all)).env).toEqual([`shop-${count}`]);
  });

  test('shows an error under its field', () => {
    const fields = viewOf(UNFILTERED).blocks.map(({ block_id }) => block_id);
    const problems = WATCH_KEYS.map((key) => new InputError(key, 'It is wrong.', `${key}:right`));
    const errors = errorsUnder(problems);
    expect(Object.keys(errors).filter((blockId) => !fields.includes(blockId))).toEqual([]);
    expect(errors['watch.min']).toBe('It is wrong. For example: min:right');
  });

  test("remembers its watch and the watch's original settings", () => {
    expect(parseFormMetadata(viewOf(UNFILTERED).private_metadata ?? '')).toEqual({ watchId: 'w', was: 'k' });
  });
});
