import { describe, expect, test } from 'vitest';
import type { Recipient, RecipientState } from '../../domain/triggers/trigger.ts';
import { errorCard } from '../blocks/words/error-card.ts';
import { expectFit, HOSTILE, STAGING, wordsOf } from '../slack.testing.ts';
import { notPostedExplanation, pointerMessage } from './pointer-message.ts';

const ACCEPTED: RecipientState = { is: 'awaited' };
const UNCLEAR: RecipientState = { is: 'unclear', status: 'queued', errors: [] };
const UNKNOWN_WORKFLOW: RecipientState = { is: 'refused', status: 'error', errors: ['workflow_not_found'] };
const INACTIVE: RecipientState = { is: 'refused', status: 'trigger_not_active', errors: [] };

const answered = (states: readonly RecipientState[], isAnswerLost = false) => ({
  isAnswerLost,
  recipients: states.map(
    (state, index): Recipient => ({ row: index + 1, subscriberId: 'user', transactionId: `txn-${index + 1}`, state }),
  ),
});

describe('the pointer to a test', () => {
  const pointer = (states: readonly RecipientState[], isAnswerLost = false) =>
    wordsOf(pointerMessage(answered(states, isAnswerLost), 'w', STAGING)).replace(/^.*? · /, '');

  test.each([
    ['w is sent to one subscriber. Follow it in your DMs with Notif.', [ACCEPTED]],
    ['w is sent to 2 rows. Follow it in your DMs with Notif.', [ACCEPTED, ACCEPTED]],
    ['w may or may not have gone to 2 rows. Follow it in your DMs with Notif.', [ACCEPTED, UNCLEAR]],
    [
      "w is sent to 1 of 2 rows. Follow it in your DMs with Notif. They say why the others weren't sent.",
      [ACCEPTED, INACTIVE],
    ],
    [
      "w wasn't sent to one subscriber: the service reports an error. Your DMs with Notif have the details.",
      [UNKNOWN_WORKFLOW],
    ],
    [
      "w wasn't sent to any of 3 rows: the service reports an error; the workflow isn't active. Your DMs with Notif have the details.",
      [UNKNOWN_WORKFLOW, UNKNOWN_WORKFLOW, INACTIVE],
    ],
  ])('says what the service answered: %s', (words, states) => {
    expect(pointer(states)).toBe(words);
  });

  test("doesn't claim an outcome if the answer was lost", () => {
    expect(pointer([ACCEPTED], true)).toContain('w may or may not have gone to one subscriber');
  });
});

describe("a test whose progress can't be posted", () => {
  const explained = (states: readonly RecipientState[], isAnswerLost = false) => {
    const { what, next } = notPostedExplanation(answered(states, isAnswerLost), STAGING);
    return [`${what}`, `${next}`];
  };

  test.each([
    [
      ["It was sent, but its progress can't be shown here.", 'Look it up: `/notif event txn-1 env:staging`'],
      [ACCEPTED],
      false,
    ],
    [
      [
        "It may or may not have been sent, and its progress can't be shown here.",
        'Check before you send it again: `/notif event txn-1 env:staging`',
      ],
      [ACCEPTED],
      true,
    ],
    [
      [
        "1 of 2 rows were sent, but their progress can't be shown here.",
        "Not sent: the workflow isn't active. Look up one that was: `/notif event txn-2 env:staging`",
      ],
      [INACTIVE, ACCEPTED],
      false,
    ],
    [
      [
        "It wasn't sent: the service reports an error: workflow_not_found",
        'Change it and send it again: /notif trigger.',
      ],
      [UNKNOWN_WORKFLOW],
      false,
    ],
  ] as const)('is explained by what the service answered: %j', (words, states, isAnswerLost) => {
    expect(explained(states, isAnswerLost)).toEqual(words);
  });

  test('fits into a message, whatever the service answered', () => {
    const states = Array.from({ length: 100 }, (_, n) => ({ ...UNKNOWN_WORKFLOW, errors: [`${n}${HOSTILE}`] }));
    expectFit(errorCard(notPostedExplanation(answered(states), STAGING), '7F3K2'));
  });
});
