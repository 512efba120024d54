import { expect, test } from 'vitest';
import { InputError } from '../../lib/errors.ts';
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
