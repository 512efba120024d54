import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DigestRow } from '../../domain/alerting/delivery.ts';
import { explainCause } from '../../domain/causes/explain-cause.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import {
  aDigest,
  aRow,
  aTally,
  at,
  buttonsOf,
  buttonValue,
  expectFit,
  HOSTILE,
  NOON,
  PRODUCTION,
  wordsOf,
} from '../slack.testing.ts';
import { digestMessage } from './message.ts';
import {
  announcedPage,
  type DigestPage,
  NEXT_PAGE,
  parseDigestPage,
  ROWS_A_PAGE,
  writeDigestPage,
} from './page-message.ts';

const OPTIONS = { environment: PRODUCTION, possibleRepeat: false, isNew: true, explainCause };

describe('a digest', () => {
  test('announces new incidents: what was checked, then a row each', () => {
    const digest = digestMessage(aDigest(), OPTIONS);
    expect(wordsOf(digest).split('\n')).toEqual([
      '🔴 production · 1 new incident',
      '🔴 Email · SendGrid — order-shipped · #1',
      'Failed: The provided authorization grant is invalid (401)',
      "💡 SendGrid refused the API key: it's wrong, deleted or expired · Our credentials · send again once fixed",
      'Now (5 min to 12:03 UTC): 48 of 60 attempts failed (80%) · last failure 12:03:12 UTC · last success 12:03:00 UTC',
      'Since 12:00:12 UTC: 48 failures in 3 min · 48 of its 400 events · 47 subscribers',
      'e.g. txn_8f2c for user-0042',
      'Look up',
      'View events',
      'Chart',
      'Acknowledge',
      'Assign…',
      'Resolve',
      'Mute…',
      'Add a note…',
      'Checked 12:00:00 UTC – 12:01:00 UTC · 4,210 events',
    ]);
    expectFit(digest);
  });

  test('shows the total of its rows if there are several', () => {
    const rows = [48, 12, 1].map((failures, episodeId) => aRow({ episodeId, tally: aTally({ failures }) }));
    expect(wordsOf(digestMessage(aDigest({ rows }), OPTIONS)).split('\n')[1]).toBe('61 failures in these 3 incidents');
  });

  test('names the date of a long time range', () => {
    const covered = { from: at(-86_400), to: NOON };
    expect(wordsOf(digestMessage(aDigest({ covered }), OPTIONS))).toContain(
      'Checked 2026-03-03 12:00 UTC – 2026-03-04 12:00 UTC',
    );
  });

  test("covers no time if the poll hasn't ended", () => {
    expect(wordsOf(digestMessage(aDigest({ covered: { from: NOON, to: NOON } }), OPTIONS))).toContain(
      'Checked 4,210 events since 12:00:00 UTC · the poll was still running',
    );
  });

  test('has a fallback text that says the same', () => {
    expect(digestMessage(aDigest(), OPTIONS).text).toBe(
      'production: 1 new incident. Email via SendGrid, order-shipped: 48 failed, The provided authorization grant is invalid (401).',
    );
  });

  test('says how many incidents are behind Show', () => {
    const digest = digestMessage(aDigest({ moreIncidents: 37, reasons: { new: 38 }, unreadable: 2 }), OPTIONS);
    expect(wordsOf(digest)).toContain('🔴 production · 38 new incidents');
    expect(wordsOf(digest)).toContain('37 more incidents');
    expect(wordsOf(digest)).toContain("2 couldn't be read");
    expect(buttonsOf(digest)).toEqual(['Look up', 'View events', 'Chart', 'Show more']);
  });

  test('is green once all incidents are resolved, those beyond its rows included', () => {
    const rows = Array.from({ length: 10 }, (_, index) =>
      aRow({ episodeId: 1_000 + index, state: { is: 'resolved', at: NOON, by: null } }),
    );
    const title = (over: number, resolved: number, of = rows) =>
      wordsOf(
        digestMessage(
          aDigest({ rows: of, moreIncidents: 2, moreStates: { over, resolved }, reasons: { new: 12 } }),
          OPTIONS,
        ),
      ).split('\n')[0];
    expect(title(2, 2)).toBe('✅ production · 12 new incidents · 12 resolved');
    expect(title(2, 1)).toBe('⚪ production · 12 new incidents · 11 resolved');
    expect(title(1, 1)).toBe('🔴 production · 12 new incidents · 11 resolved');
    expect(title(2, 2, [aRow(), ...rows.slice(1)])).toBe('🔴 production · 12 new incidents · 11 resolved');
  });

  test('has its reason in its title', () => {
    const reasons = { new: 3, relapsed: 2, critical: 1, back: 1, grown: 1, 'goes-on': 2, missed: 1 };
    expect(wordsOf(digestMessage(aDigest({ reasons }), OPTIONS))).toContain(
      '🔴 production · 3 new incidents · 2 relapsed · 1 now critical · 1 back · 1 up 10× · 2 ongoing · 1 failed while muted',
    );
    expect(wordsOf(digestMessage(aDigest({ reasons: { back: 1 } }), OPTIONS))).toContain(
      '🔴 production · 1 incident back',
    );
  });

  test('turns white once all its incidents are recovering, and green once they are resolved', () => {
    const recovered = aRow({ state: { is: 'resolved', at: at(1_860), by: null } });
    expect(wordsOf(digestMessage(aDigest({ rows: [recovered] }), OPTIONS))).toContain(
      '✅ production · 1 new incident · 1 resolved',
    );
    const recovering = aRow({ episodeId: 2, state: { is: 'recovering', since: at(1_800), sendingSince: null } });
    expect(wordsOf(digestMessage(aDigest({ rows: [recovered, recovering], reasons: { new: 2 } }), OPTIONS))).toContain(
      '⚪ production · 2 new incidents · 1 resolved',
    );
    const failing = aRow({ episodeId: 2, tally: aTally({ verdict: 'bounced' }) });
    const digest = digestMessage(aDigest({ rows: [recovered, failing], reasons: { new: 2 } }), OPTIONS);
    expect(wordsOf(digest)).toContain('🟠 production · 2 new incidents · 1 resolved');
    expectFit(digest);
  });

  test("begins with the watch's mention", () => {
    const digest = digestMessage(aDigest({ mention: { kind: 'user-group', id: 'S0ONCALL' } }), OPTIONS);
    expect(wordsOf(digest)).toMatch(/^<!subteam\^S0ONCALL>\n🔴 production/);
    expect(digest.text).toMatch(/^<!subteam\^S0ONCALL> production: 1 new incident\./);
    expectFit(digest);
  });

  test('mentions nobody else in a new message, since that would notify them', () => {
    const rows = [aRow({ acknowledged: { by: 'U0ANN', at: at(360) } })];
    expect(wordsOf(digestMessage(aDigest({ rows }), OPTIONS))).toContain('👀 acknowledged at 2026-03-04 12:06 UTC');
    expect(wordsOf(digestMessage(aDigest({ rows }), { ...OPTIONS, isNew: false }))).toContain(
      '👀 <@U0ANN> acknowledged at',
    );
  });

  test('says which time was not checked, and what delayed it', () => {
    const digest = digestMessage(
      aDigest({
        unchecked: [{ from: NOON, to: at(40) }],
        heldBack: { why: 'quiet', from: at(-3_600), to: NOON },
      }),
      OPTIONS,
    );
    expect(wordsOf(digest)).toContain('⚠️ Not checked: 12:00:00 UTC – 12:00:40 UTC');
    expect(wordsOf(digest)).toContain('🌙 Held from 2026-03-04 11:00 UTC to 2026-03-04 12:00 UTC (quiet hours)');
  });

  test('has room for ten rows in any state', () => {
    const rows = Array.from({ length: 10 }, (_, index) =>
      aRow({
        episodeId: 1_000 + index,
        acknowledged: { by: 'U0ANN00000', at: NOON },
      }),
    );
    const content = aDigest({
      id: '7c7cbeb2-6e4b-4f2d-8f0f-3f5d5a3b9f11',
      rows,
      reasons: { new: 47 },
      moreIncidents: 37,
    });
    const digest = digestMessage(content, { ...OPTIONS, isNew: false });
    expect(buttonsOf(digest).filter((label) => label === 'Look up')).toHaveLength(10);
    expectFit(digest);
  });

  test("says if it's the first one, covering the hour before the start", () => {
    expect(wordsOf(digestMessage(aDigest({ isFirst: true }), OPTIONS))).toContain(
      'covers the hour before Notif started',
    );
  });

  test('marks a post that may be a duplicate', () => {
    expect(wordsOf(digestMessage(aDigest(), { ...OPTIONS, possibleRepeat: true }))).toContain('Possible duplicate');
  });

  test('separates tests', () => {
    const rows = [aTally(), aTally({ group: { isTest: true, key: '00000000000000bb' } })].map((tally) =>
      aRow({ tally, episodeId: tally.group.isTest ? 2 : 1 }),
    );
    const words = wordsOf(digestMessage(aDigest({ rows }), OPTIONS));
    expect(words.indexOf('Tests: marked as tests by the service')).toBeGreaterThan(words.indexOf('e.g. txn_8f2c'));
    expect(words).toContain('order-shipped · test');
  });

  test.each([HOSTILE.repeat(20), '&'.repeat(900)])(
    "fits Slack’s limits with its longest rows; what doesn't fit is behind Show: %#",
    (hostile) => {
      const tally = aTally({
        group: { workflow: hostile, provider: hostile, channel: hostile, cause: { text: hostile, key: 'k' } },
        severity: hostile,
        critical: true,
        example: { eventId: null, transactionId: hostile.slice(0, 255), subscriberId: hostile },
      });
      const until = new Date('2026-03-05T12:00:00Z');
      const rows = Array.from({ length: 10 }, (_, index) =>
        aRow({
          tally,
          episodeId: 900_000 + index,
          reason: 'goes-on',
          before: { firstSeen: NOON, lastSeen: NOON },
          state: { is: 'quiet', since: NOON },
          acknowledged: { by: 'U0ANN00000', at: NOON },
          mute: { by: 'U0ANN00000', from: NOON, until },
          parts: Array.from({ length: 3 }, () => ({ tally, share: null })),
          moreParts: 97,
        }),
      );
      const digest = digestMessage(
        aDigest({
          rows,
          reasons: { new: 10 },
          unchecked: Array.from({ length: 9 }, () => ({ from: NOON, to: until })),
          heldBack: { why: 'quiet', from: NOON, to: until },
          mention: { kind: 'user-group', id: 'S0ONCALL' },
        }),
        { environment: PRODUCTION, possibleRepeat: true, isNew: false, explainCause },
      );
      expectFit(digest);
      const shown = buttonsOf(digest).filter((label) => label === 'Look up').length;
      expect(wordsOf(digest)).toContain('10 new incidents');
      if (shown < 10) expect(wordsOf(digest)).toContain(`${10 - shown} more incident`);
    },
  );
});

describe('the pages behind a digest', () => {
  const page = { digestId: 'digest-1', offset: 10 };
  const environmentOf = () => PRODUCTION;

  test('show ten incidents, with buttons for those before and after', () => {
    const rows = Array.from({ length: 10 }, (_, episodeId) => aRow({ episodeId }));
    const message = announcedPage(page, { rows, total: 37 }, environmentOf);
    expect(wordsOf(message)).toContain('production · incidents 11–20 of 37 announced');
    expect(buttonsOf(message).slice(-2)).toEqual(['Previous incidents', 'Next incidents']);
    expectFit(message);
  });

  test("show each incident's current state and actions", () => {
    const rows = [aRow({ reason: 'back', acknowledged: { by: 'U0ANN', at: NOON } })];
    const message = announcedPage(page, { rows, total: 11 }, environmentOf);
    expect(wordsOf(message)).toContain('order-shipped · back');
    expect(wordsOf(message)).toContain('👀 <@U0ANN> acknowledged');
    expect(wordsOf(message)).toContain('Unacknowledge');
  });

  test('show each incident once, whatever the size of their rows', () => {
    const texts = fc.array(fc.tuple(fc.nat(50), fc.nat(200)), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(texts, (sizes) => {
        const rows = sizes.map(([escaped, long], episodeId) => {
          const text = '&'.repeat(escaped) + 'x'.repeat(long);
          return aRow({ episodeId, tally: aTally({ group: { cause: { text, key: `${episodeId}` } } }) });
        });
        const pages = pagesOf(rows, { ...page, offset: 0 });
        const shown = pages.flatMap((one) => wordsOf(one).match(/(?<= · #)\d+/g) ?? []);
        expect(shown.map(Number)).toEqual(rows.map(({ episodeId }) => episodeId));
        for (const one of pages) expectFit(one);
      }),
      // Without [Next incidents], one more of these rows would fit.
      { examples: [[Array.from({ length: 7 }, (): [number, number] => [210, 3])]] },
    );
  });

  function pagesOf(rows: readonly DigestRow[], at: DigestPage): MessageContent[] {
    const onPage = rows.slice(at.offset, at.offset + ROWS_A_PAGE);
    const message = announcedPage(at, { rows: onPage, total: rows.length }, environmentOf);
    const next = parseDigestPage(buttonValue(message, NEXT_PAGE) ?? '');
    return next === null ? [message] : [message, ...pagesOf(rows, next)];
  }

  test('say if the incidents are no longer kept', () => {
    expect(wordsOf(announcedPage(page, { rows: [], total: 0 }, environmentOf))).toContain('no longer kept');
  });

  test('are encoded in their button', () => {
    expect(parseDigestPage(writeDigestPage(page))).toEqual(page);
    for (const value of ['', 'v1|digest-1', 'v1|digest-1|announced|0', 'v1|digest-1|-1']) {
      expect(parseDigestPage(value)).toBeNull();
    }
  });
});
