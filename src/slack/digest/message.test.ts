import { describe, expect, test } from 'vitest';
import { aDigest, aRow, aTally, buttonsOf, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { digestMessage } from './message.ts';
import { digestPageMessage, readDigestPage, writeDigestPage } from './page-message.ts';

const OPTIONS = { environment: PRODUCTION, possibleRepeat: false };

describe('a digest', () => {
  test('announces new groups: what was read, then a row each', () => {
    const digest = digestMessage(aDigest(), OPTIONS);
    expect(wordsOf(digest).split('\n')).toEqual([
      '🔴 production · 1 new failure group',
      '12:00:00 UTC – 12:01:00 UTC · 4,210 events read · 61 failed (1.4 %)',
      '🔴 Email · SendGrid — order-shipped',
      'Failed: The provided authorization grant is invalid (401)',
      '48 failures in 3 min · 12 % of order-shipped · 47 subscribers · 12:00:12 UTC – 12:03:12 UTC',
      'e.g. txn_8f2c for user-0042',
      'Look up',
    ]);
    expectFit(digest);
  });

  test('says the same to whoever listens', () => {
    expect(digestMessage(aDigest({ counted: { undeliverable: 9 } }), OPTIONS).text).toBe(
      'production: 1 new failure group. Email via SendGrid, order-shipped: 48 failed, The provided authorization grant is invalid (401). Counted: 9 undeliverable.',
    );
  });

  test('counts in a line what wakes nobody, with a way to it', () => {
    const digest = digestMessage(
      aDigest({ counted: { undeliverable: 9, 'skipped-by-design': 31, 'retried-then-fine': 2 } }),
      OPTIONS,
    );
    expect(wordsOf(digest)).toContain('Counted: 9 undeliverable · 31 skipped by design · 2 retried, then fine');
    expect(buttonsOf(digest)).toEqual(['Look up', 'List']);
  });

  test('is due for what is only counted too', () => {
    const digest = digestMessage(aDigest({ rows: [], failedEvents: 0, counted: { undeliverable: 9 } }), OPTIONS);
    expect(wordsOf(digest)).toContain('⚪ production · no new failures, 9 counted');
    expect(digest.text).toBe('production: no new failures. Counted: 9 undeliverable.');
  });

  test('says how many groups are behind Show', () => {
    const digest = digestMessage(aDigest({ moreGroups: 37, unreadable: 2 }), OPTIONS);
    expect(wordsOf(digest)).toContain('🔴 production · 38 new failure groups');
    expect(wordsOf(digest)).toContain('37 more groups');
    expect(wordsOf(digest)).toContain('2 could not be read');
    expect(buttonsOf(digest)).toEqual(['Look up', 'Show']);
  });

  test('is the first one for the hour before the start, and says so', () => {
    expect(wordsOf(digestMessage(aDigest({ isFirst: true }), OPTIONS))).toContain(
      'it covers the hour before Notif started',
    );
  });

  test('marks a post that may be a repeat', () => {
    expect(wordsOf(digestMessage(aDigest(), { ...OPTIONS, possibleRepeat: true }))).toContain('Possible repeat');
  });

  test('sets tests apart', () => {
    const rows = [aTally(), aTally({ group: { isTest: true, key: '00000000000000bb' } })].map((tally) =>
      aRow({ tally, workflowEvents: 0 }),
    );
    const words = wordsOf(digestMessage(aDigest({ rows }), OPTIONS));
    expect(words.indexOf('Tests: marked as tests by the service')).toBeGreaterThan(words.indexOf('e.g. txn_8f2c'));
    expect(words).toContain('order-shipped · test');
  });

  test.each([HOSTILE.repeat(20), '&'.repeat(900)])(
    'fits Slack’s limits with its longest rows; what does not fit is behind Show: %#',
    (hostile) => {
      const tally = aTally({
        group: { workflow: hostile, provider: hostile, channel: hostile, cause: { text: hostile, key: 'k' } },
        severity: hostile,
        critical: true,
        example: { eventId: null, transactionId: hostile.slice(0, 255), subscriberId: hostile },
      });
      const rows = Array.from({ length: 10 }, () => aRow({ tally, workflowEvents: 100 }));
      const digest = digestMessage(aDigest({ rows, counted: { undeliverable: 1 } }), {
        ...OPTIONS,
        possibleRepeat: true,
      });
      expectFit(digest);
      const shown = buttonsOf(digest).filter((label) => label === 'Look up').length;
      expect(wordsOf(digest)).toContain('10 new failure groups');
      if (shown < 10) expect(wordsOf(digest)).toContain(`${10 - shown} more group`);
    },
  );
});

describe('the pages behind a digest', () => {
  const page = { digestId: 'digest-1', of: 'announced', offset: 10 } as const;
  const environmentOf = () => PRODUCTION;

  test('show ten groups, and lead to those before and after', () => {
    const groups = Array.from({ length: 10 }, () => aTally());
    const message = digestPageMessage(page, { groups, total: 37 }, environmentOf);
    expect(wordsOf(message)).toContain('production · groups 11 to 20 of 37 announced');
    expect(buttonsOf(message).slice(-2)).toEqual(['Previous', 'Next']);
    expectFit(message);
  });

  test('say when the groups are not kept any more', () => {
    expect(wordsOf(digestPageMessage(page, { groups: [], total: 0 }, environmentOf))).toContain('not kept any more');
  });

  test('are named by their button', () => {
    expect(readDigestPage(writeDigestPage(page))).toEqual(page);
    for (const value of ['', 'v1|digest-1|announced', 'v1|digest-1|else|0', 'v1|digest-1|counted|-1']) {
      expect(readDigestPage(value)).toBeNull();
    }
  });
});
