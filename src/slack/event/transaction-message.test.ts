import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { judge } from '../../domain/failures/judge.ts';
import type { FoundTransaction } from '../../domain/lookups/looked-up.ts';
import { addToTally, emptyTally } from '../../domain/lookups/transaction.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { buttonsOf, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { transactionCard } from './transaction-message.ts';

const PERSON = { is: 'person' } as const;
const problem = { kind: 'service-error', status: 500, errorId: null } as const;
const trouble = new ServiceError('production', 'listEvents', problem);

function read(events: readonly TriggeredEvent[], change: Partial<FoundTransaction> = {}): FoundTransaction {
  const tally = events.reduce((sum, event) => addToTally(sum, event, judge(event, at(60))), emptyTally('txn_77'));
  return { found: 'transaction', environment: PRODUCTION, tally, isAll: true, trouble: null, ...change };
}

const topicKeys = ['launch'];
const failed = Array.from({ length: 61 }, (_, n) =>
  aFailedEvent({ id: `65f0000000000000000${10_000 + n}`, topicKeys }),
);
const fine = Array.from({ length: 1_200 }, (_, n) => anEvent({ id: `e${n}`, topicKeys }));

describe('a transaction’s card', () => {
  test('counts its events by outcome and channel, names the causes, and links to each event', () => {
    const card = transactionCard(read([...failed, ...fine]), PERSON);
    expect(wordsOf(card)).toContain('production · txn_77 made 1,261 events of Order shipped by topic launch');
    expect(wordsOf(card)).toContain('🔴 61 failed · ✅ 1,200 delivered');
    expect(wordsOf(card)).toContain('Email: 🔴 61 failed · ✅ 1,200 delivered');
    expect(wordsOf(card)).toContain('61 × Email · SendGrid:');
    expect(wordsOf(card)).toContain(
      'All 1,261 events checked\nAll failures: /notif failures tx:txn_77 since:3d env:production',
    );
    expect(wordsOf(card)).toContain('50 of 1,261 events, the most severe first');
    expect(buttonsOf(card)).toEqual(['Share', 'Refresh']);
    expectFit(card);
  });

  test('says when there was more than Notif could check', () => {
    const found = read(fine, { isAll: false });
    const card = transactionCard({ ...found, tally: { ...found.tally, unreadable: 3 } }, PERSON);
    expect(wordsOf(card)).toContain('made more than 1,203 events');
    expect(wordsOf(card)).toContain('Newest 1,200 events checked; there are more');
    expect(wordsOf(card)).toContain("3 couldn't be read");
  });

  test('says that it read all only if each event could be read and shows its outcome', () => {
    const hidden = [anEvent({ jobs: [], listsSteps: false }), anEvent({ id: 'b', unreadable: ['jobs'] })];
    const card = wordsOf(transactionCard(read(hidden), PERSON));
    expect(card).toContain('made 2 events of Order shipped\n❔ 2 with no outcome shown');
    expect(card).toContain("2 events checked · the service didn't show the outcome of 2");
    expect(card).not.toMatch(/All [\d,]+ events|delivered: 2|in progress/);
  });

  test('says why reading ended early', () => {
    const card = transactionCard(read(fine, { isAll: false, trouble }), PERSON);
    expect(wordsOf(card)).toContain('Newest 1,200 events checked; there are more');
    expect(wordsOf(card)).toContain("⚠️ Couldn't read from production");
  });

  test('has only the button that leads back to it when shared', () => {
    const shared = transactionCard(read(failed), { is: 'channel', sharedBy: 'U0ANN' });
    expect(buttonsOf(shared)).toEqual(['Look up']);
    expectFit(shared);
  });

  test('fits Slack’s limits and escapes whatever is in it', () => {
    const jobs = Array.from({ length: 30 }, (_, n) =>
      aJob({
        id: `j${n}`,
        type: `${HOSTILE}${n}`,
        status: 'failed',
        details: [aDetail({ detail: HOSTILE.repeat(9) })],
      }),
    );
    const event = anEvent({ jobs, topicKeys: [HOSTILE], transactionId: HOSTILE });
    expectFit(transactionCard(read([event, event]), PERSON));
  });
});
