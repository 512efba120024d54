import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../domain/errors.ts';
import { judge } from '../../domain/failures/judge.ts';
import type { FoundTransaction } from '../../domain/lookups/looked-up.ts';
import { addToTally, emptyTally } from '../../domain/lookups/transaction.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import { buttonsOf, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { transactionCard } from './transaction-message.ts';
import { parseLoadMore, writeLoadMore } from './transaction-request-message.ts';

const PERSON = { is: 'person' } as const;
const start = { before: at(3_600), page: 0, counts: {}, unreadable: 0 };
const problem = { kind: 'service-error', status: 500, errorId: null } as const;
const trouble = new ServiceError('production', 'listEvents', problem);

function read(events: readonly TriggeredEvent[], change: Partial<FoundTransaction> = {}): FoundTransaction {
  const tally = events.reduce((sum, event) => addToTally(sum, event, judge(event, at(60))), emptyTally('txn_77'));
  return { found: 'transaction', environment: PRODUCTION, tally, start, next: null, trouble: null, ...change };
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

  test('says when there was more than Notif could check, and continues from there', () => {
    const next = { ...start, page: 40, counts: { failed: 61, delivered: 1_939 } };
    const found = read(fine, { next });
    const card = transactionCard({ ...found, tally: { ...found.tally, unreadable: 3 } }, PERSON);
    expect(wordsOf(card)).toContain('made more than 1,203 events');
    expect(wordsOf(card)).toContain('Newest 1,200 events checked; there are more');
    expect(wordsOf(card)).toContain("3 couldn't be read");
    expect(buttonsOf(card)).toEqual(['Load more', 'Share', 'Refresh']);
  });

  test('adds up what was checked before, and says which part the rest is about', () => {
    const card = transactionCard(
      read(failed, { start: { ...start, page: 40, counts: { failed: 9, delivered: 1_991 } } }),
      PERSON,
    );
    expect(wordsOf(card)).toContain('made 2,061 events');
    expect(wordsOf(card)).toContain('🔴 70 failed · ✅ 1,991 delivered');
    expect(wordsOf(card)).toContain('Of events 2,001–2,061: 🔴 61 failed');
    expectFit(card);
  });

  test('says that it read all only if each event, of the parts before too, could be read and shows its outcome', () => {
    const before = { ...start, page: 40, counts: { delivered: 1_995 }, unreadable: 5 };
    const rest = wordsOf(transactionCard(read(fine, { start: before }), PERSON));
    expect(rest).toContain('made 3,200 events');
    expect(rest).toContain('Of events 2,001–3,200: ✅ 1,200 delivered');
    expect(rest).toContain('3,195 events checked');
    expect(rest).toContain("5 couldn't be read");
    const hidden = [anEvent({ jobs: [], listsSteps: false }), anEvent({ id: 'b', unreadable: ['jobs'] })];
    const card = wordsOf(transactionCard(read(hidden), PERSON));
    expect(card).toContain('made 2 events of Order shipped\n❔ 2 with no outcome shown');
    expect(card).toContain("2 events checked · the service didn't show the outcome of 2");
    for (const words of [rest, card]) expect(words).not.toMatch(/All [\d,]+ events|delivered: 2|in progress/);
  });

  test('says why reading ended early, and continues from there', () => {
    const next = { ...start, page: 29, counts: { delivered: 1_200 } };
    const card = transactionCard(read(fine, { next, trouble }), PERSON);
    expect(wordsOf(card)).toContain('made more than 1,200 events');
    expect(wordsOf(card)).toContain('Newest 1,200 events checked; there are more');
    expect(wordsOf(card)).toContain("⚠️ Couldn't read from production");
    expect(buttonsOf(card)[0]).toBe('Load more');
    const stuck = transactionCard(read(fine, { trouble }), PERSON);
    expect(wordsOf(stuck)).toContain('Newest 1,200 events checked; there are more');
    expect(buttonsOf(stuck)).not.toContain('Load more');
  });

  test('says nothing of a part without events: the last one ended where the list does', () => {
    const card = transactionCard(read([], { start: { ...start, page: 40, counts: { delivered: 2_000 } } }), PERSON);
    expect(wordsOf(card)).toContain('made 2,000 events');
    expect(wordsOf(card)).toContain('All 2,000 events checked');
    expect(wordsOf(card)).not.toContain('Of events');
    expectFit(card);
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

describe('the buttons of a transaction', () => {
  test('encode where checking continues, and what was counted', () => {
    const position = {
      before: at(3_600),
      page: 40,
      counts: { failed: 61, 'partly-failed': 2, 'not-shown': 3 },
      unreadable: 5,
    };
    const request = { environment: 'production', transactionId: 'txn|7%7', position };
    expect(parseLoadMore(writeLoadMore(request))).toEqual(request);
    expect(parseLoadMore(writeLoadMore({ ...request, position: start }))?.position).toEqual(start);
    expect(parseLoadMore('v1|e|t|1|2|failed=1')?.position).toMatchObject({ counts: { failed: 1 }, unreadable: 0 });
  });

  test.each(['', 'v1|e|t', 'v1|e|t|1|2|bogus=1', 'v1|e|t|1|2|failed=x', 'v1|e|t|1|2||x'])(
    'are null for %j',
    (value) => {
      expect(parseLoadMore(value)).toBeNull();
    },
  );
});
