import { expect, test } from 'vitest';
import type { SentTo } from '../../../sendings/progress.ts';
import { aSending } from '../../../sendings/sending.testing.ts';
import { at } from '../../../service/event.testing.ts';
import { expectFit, HOSTILE, wordsOf } from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { testMessage } from './sending-message.ts';

const to = (shownId: string, state: SentTo['state'], row: number, why: string | null = null): SentTo => ({
  shownId,
  subscriberId: shownId,
  transactionId: `txn_${shownId}`,
  row,
  workflow: 'order-shipped',
  state,
  why,
});

function messageOf(tested: readonly SentTo[], endedAt: Date | null = null) {
  const content: ContentOf<'test'> = {
    kind: 'test',
    id: 'm',
    channel: 'U0ANN',
    tested: [...tested],
    sending: aSending({ incidentId: null, endedAt }),
  };
  return testMessage(content, 'production');
}

test('a test shows how far each recipient is, those in trouble first', () => {
  const message = messageOf([
    to('user-1', 'delivered', 1, 'in-app, email'),
    to('user-2', 'failed', 2, 'email: Mailbox full'),
    to('user-3', 'sent', 3),
    to('user-4', 'sending', 4),
    to('user-5', 'refused', 5, "the workflow isn't active"),
  ]);
  expect(wordsOf(message).split('\n')).toEqual([
    '⏳ Test of order-shipped in production · 3 of 5 done',
    'Subscriber | Outcome | No. | Details',
    "user-5 | 🔴 not sent: the workflow isn't active | 5 | –",
    'user-2 | 🔴 failed: email: Mailbox full | 2 | Look up',
    'user-3 | ⏳ in progress | 3 | Look up',
    'user-4 | ⏳ in progress | 4 | Look up',
    'user-1 | ✅ delivered: in-app, email | 1 | Look up',
    '🔴 1 not sent · 🔴 1 failed · ⏳ 2 in progress · ✅ 1 delivered',
    'by <@U0ANN>, 2026-03-04 12:00 UTC',
    'No clear answer from the service: this may have gone through. Notif looks, and resends nothing.',
  ]);
});

test.each([
  ['sent', '🟡 Test of order-shipped in production · in progress', 'Not everything is final after 10 minutes'],
  ['unclear', '❔ Test of order-shipped in production · done', 'not known: it may have gone through'],
  ['delivered', '✅ Test of order-shipped in production · done', 'user-1 delivered'],
] as const)('a test that is no longer followed says what is known: %s', (state, headline, words) => {
  const message = wordsOf(messageOf([to('user-1', state, 1)], at(600)));
  expect(message).toContain(headline);
  expect(message).toContain(words);
});

test.each(['user', HOSTILE, '&'.repeat(255)])('a test of a hundred shows as many as fit: %#', (name) => {
  const all = Array.from({ length: 100 }, (_, n) =>
    to(`${name}${n}`, n % 2 ? 'sent' : 'failed', n + 1, HOSTILE.repeat(50)),
  );
  const message = messageOf(all);
  expect(wordsOf(message)).toContain('50 of 100 done');
  expectFit(message);
});
