import { expect, test } from 'vitest';
import { parseCommandText } from '../../lib/input/filters.ts';
import { DAY_MS } from '../../lib/time/durations.ts';
import { PRODUCTION, STAGING } from '../slack.testing.ts';
import { parseSince } from './command.ts';

const OPTIONS = {
  usualMs: DAY_MS,
  environments: [PRODUCTION, STAGING],
  retentionDays: 30,
  now: () => new Date('2026-11-20T12:00:00Z'),
};

test('an environment that is named twice counts once, in any case', () => {
  const { filters } = parseCommandText('env:staging,Production,STAGING env:production');
  const request = parseSince({ words: [], filters, environment: PRODUCTION, timeZone: 'UTC' }, OPTIONS);
  expect(request.environments).toEqual(['staging', 'production']);
});
