import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtersOf, parseWatchSettings } from '../../../watches/parse-settings.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../../../watches/settings.ts';
import { HOSTILE, PRODUCTION, STAGING } from '../../slack.testing.ts';
import { parseFilters, writeFilters } from './create.ts';

const DEFAULTS = {
  environments: [PRODUCTION, STAGING],
  usualEnvironments: ['staging'],
  timeZone: 'Asia/Tokyo',
};

/** Names that a command would change or refuse, as people can type them in a form. */
const NAMES = ['Say “hi”', 'a `b`', 'it’s', 'order–shipped', 'a&amp;b', '<@U1|ann>', 'a, b', 'a|b%7C', 'env:', HOSTILE];

const name = fc
  .oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme' }))
  .map((text) => text.replaceAll('"', '').slice(0, 100).trim())
  .filter((text) => text !== '');
const names = fc.uniqueArray(name, { maxLength: 5 });

function settingsWith(workflows: readonly string[], topics: readonly string[]): WatchSettings {
  const quiet = { from: 22 * 60, to: 7 * 60 };
  return { ...UNFILTERED, quiet, timeZone: 'Europe/Berlin', filter: { ...EVERYTHING, workflows, topics } };
}

test('the settings in a button come back the same, whatever the names', () => {
  fc.assert(
    fc.property(names, names, (workflows, topics) => {
      const settings = settingsWith(workflows, topics);
      const shown = parseFilters(writeFilters(filtersOf(settings)));
      const { email, ...filters } = shown ?? {};
      expect(email).toBeUndefined();
      expect(parseWatchSettings(filters, DEFAULTS)).toEqual(settings);
    }),
  );
});

test.each(['', 'v1|', 'v0|workflow|a', 'v1|workflow:a env:all', 'v1|workflow', 'v1|sender|a', 'v1|person|workflow'])(
  'a button with %j is of another version',
  (value) => {
    expect(parseFilters(value)).toBeNull();
  },
);
