import { describe, expect, test } from 'vitest';
import { judge } from '../../../judging/judge.ts';
import type { FoundTransaction } from '../../../lookups/event.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../../../service/event.testing.ts';
import type { TriggeredEvent } from '../../../service/event.ts';
import { RUN } from '../../kit/buttons.ts';
import { buttonsOf, buttonValue, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { transactionCard } from './transaction.ts';

function read(events: readonly TriggeredEvent[], change: Partial<FoundTransaction> = {}): FoundTransaction {
  return {
    environment: PRODUCTION,
    transactionId: 'txn_77',
    events: events.map((event) => ({ event, judgment: judge(event, at(60)) })),
    unreadable: 0,
    misfits: [],
    isAll: true,
    aheadMs: null,
    ...change,
  };
}

const topicKeys = ['launch'];
const failed = Array.from({ length: 61 }, (_, n) =>
  aFailedEvent({ id: `65f0000000000000000${10_000 + n}`, topicKeys }),
);
const fine = Array.from({ length: 1_200 }, (_, n) => anEvent({ id: `e${n}`, topicKeys }));

test('A list with times that are still to come says that the clock of the service is ahead', () => {
  const words = wordsOf(transactionCard(read([anEvent()], { aheadMs: 420_000 }), 30));
  expect(words).toContain("🕑 the service's clock is 7 min ahead");
});

describe('a transaction’s card', () => {
  test('counts its events by outcome, names the causes, and links to each event', () => {
    const card = transactionCard(read([...failed, ...fine]), 30);
    expect(wordsOf(card)).toContain('production · txn_77 made 1,261 events of Order shipped by topic launch');
    expect(wordsOf(card)).toContain('🔴 61 failed · ✅ 1,200 delivered');
    expect(wordsOf(card)).toContain('61 × Email · SendGrid:');
    expect(wordsOf(card)).toMatch(/\d+ of 1,261 events, the most severe first/);
    expect(buttonsOf(card)).toEqual(['Share', 'Refresh', 'View failures', 'Download CSV']);
    expect(buttonValue(card, RUN)).toContain('since:"30d"');
    expectFit(card);
    expect(buttonsOf(transactionCard(read(fine), 30))).toEqual(['Share', 'Refresh']);
  });

  test('says when there was more than Notif could check', () => {
    const card = transactionCard(read(fine, { isAll: false, unreadable: 3 }), 30);
    expect(wordsOf(card)).toContain('made at least 1,203 events');
    expect(wordsOf(card)).toContain('Newest 1,200 events checked; there are more');
    expect(wordsOf(card)).toContain('3 unreadable');
  });

  test('says of how many the outcome is unknown', () => {
    const hidden = [anEvent({ jobs: [], listsSteps: false }), anEvent({ id: 'b', mayHideFailures: true })];
    const card = wordsOf(transactionCard(read(hidden), 30));
    expect(card).toContain('made 2 events of Order shipped\n❔ 2 with no outcome shown');
    expect(card).not.toMatch(/delivered|in progress/);
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
    expectFit(transactionCard(read([event, event]), 30));
  });
});
