import { WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { InputError, PersonUnknownError } from '../../lib/errors.ts';
import { silent } from '../../lib/logger.testing.ts';
import { eventGone } from '../../lookups/event.ts';
import { expectFit, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { cardFor } from './error-card.ts';

const PARTS = {
  environments: [PRODUCTION],
  operators: { isEverybody: false, users: [], groups: [] },
  logger: silent,
  newReference: () => 'ab12c',
};

test.each([
  ['with an example', new InputError('since', 'since: takes a time.', 'since:2h'), 'For example: since:2h'],
  ['without one', new InputError('transaction', 'One subscriber only.'), 'Change it and try again.'],
  ['that no change helps', eventGone(), 'It may be past retention.'],
])('an error about what a person asked for, %s, is shown with what to do next', (_, error, next) => {
  const card = cardFor(PARTS, error);
  expect(wordsOf(card)).toBe(`⚠️ ${error.message}\n${next}`);
  expectFit(card);
});

test.each([
  ['that asks who the person is', new PersonUnknownError('token_expired')],
  ['that opens a form', new WebAPIPlatformError({ ok: false, error: 'token_expired' })],
])('a bot token that Slack refuses is named, with the fix, to everyone, in a call %s', (_, error) => {
  const words = wordsOf(cardFor(PARTS, error));
  expect(words).toMatch(/^⚠️ Slack refuses Notif's bot token \(token_expired\)/);
  expect(words).toContain('set SLACK_BOT_TOKEN to its new token');
});
