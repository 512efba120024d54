import { describe, expect, test } from 'vitest';
import { errorOf, explainCause } from '../../../domain/causes/explain-cause.ts';
import { shareOf } from '../../../domain/failures/share.ts';
import { aRow, aTally, at, NOON, someLately, wordsOf } from '../../slack.testing.ts';
import { incidentRow, incidentSentence, incidentText } from './incident-row.ts';
import { reasonWords } from './state-words.ts';

const drawn = (row: ReturnType<typeof aRow>, isTerse = false) => {
  const options = {
    messageId: 'digest-1',
    beside: reasonWords(row),
    cause: null,
    namesPeople: true,
    isTerse,
  };
  return wordsOf({ blocks: incidentRow(row, options) }).split('\n');
};
const HOUR = 3_600;

describe("an incident's row", () => {
  test('shows what failed where, why, how often, and an example', () => {
    expect(drawn(aRow()).slice(0, 5)).toEqual([
      '🔴 Email · SendGrid — order-shipped · #1',
      'Failed: The provided authorization grant is invalid (401)',
      'Now (5 min to 12:03 UTC): 48 of 60 attempts failed (80%) · last failure 12:03:12 UTC · last success 12:03:00 UTC',
      'Since 12:00:12 UTC: 48 failures in 3 min · 48 of its 400 events · 47 subscribers',
      'e.g. txn_8f2c for user-0042',
    ]);
  });

  test('gives ages where it is redrawn, and times where it is not', () => {
    const options = { beside: null, cause: null, namesPeople: true, isTerse: false };
    const { lastSeen } = aRow().tally;
    const last = (format: string) => `last failure <!date^${lastSeen.getTime() / 1_000}^{${format}}|`;
    expect(`${incidentText(aRow(), options)}`).toContain(last('ago'));
    expect(`${incidentText(aRow(), { ...options, isSnapshot: true })}`).toContain(last('time_secs'));
  });

  test('gives the date of what was more than half a day before', () => {
    const days = (count: number) => new Date(at(180).getTime() + count * 24 * HOUR * 1_000);
    const row = aRow({
      asOf: days(2),
      lately: someLately({ window: { from: days(1), to: days(1) } }),
      state: { is: 'quiet', since: days(1) },
      acknowledged: { by: 'U0ANN', at: days(1) },
    });
    const words = drawn(row).join('\n');
    expect(words).toContain('Now (5 min to 2026-03-05 12:03 UTC): ');
    expect(words).toContain('Since 2026-03-04 12:00 UTC: 48 failures');
    expect(words).toContain('no failures since 2026-03-05 12:03 UTC');
    expect(words).toContain('acknowledged 2026-03-05 12:03 UTC');
  });

  test('explains a known error while the incident is open', () => {
    const linesOf = (row: ReturnType<typeof aRow>) => {
      const cause = explainCause(errorOf(row.tally.group));
      const options = { messageId: 'digest-1', beside: null, cause, namesPeople: true, isTerse: false };
      return wordsOf({ blocks: incidentRow(row, options) }).split('\n');
    };
    const meaning =
      "💡 SendGrid refused the API key: it's wrong, deleted or expired · Our credentials · send again once fixed";
    expect(linesOf(aRow())[2]).toBe(meaning);
    expect(linesOf(aRow({ state: { is: 'resolved', at: NOON, by: null } }))).not.toContain(meaning);
    const unknown = aRow({ tally: aTally({ group: { cause: { text: 'xyzzy', key: 'xyzzy' } } }) });
    expect(linesOf(unknown).filter((line) => line.startsWith('💡'))).toEqual([]);
  });

  test('lists the workflows of one cause, the most severe first', () => {
    const part = (workflow: string, failed: number, of: number, critical = false) => ({
      tally: aTally({ group: { workflow }, critical, events: failed }),
      share: shareOf(failed, of, { from: at(0), to: at(180) }),
    });
    const parts = [part('payment-failed', 8, 8, true), part('order-shipped', 38, 53)];
    expect(drawn(aRow({ tally: aTally({ critical: true }), parts, moreParts: 4 })).slice(0, 3)).toEqual([
      '🔴 Email · SendGrid is failing in 6 workflows · critical · #1',
      'Failed: The provided authorization grant is invalid (401)',
      'payment-failed 8 of 8 events (critical) · order-shipped 38 of 53 · 4 more workflows',
    ]);
  });

  test.each([
    ['that reached people otherwise', false, { failures: 12, attempts: 60 }, '🟡'],
    ['that is critical', true, { failures: 12, attempts: 60 }, '🔴'],
    ['of a provider that fails more often than not', false, { failures: 43, attempts: 43 }, '🔴'],
    ['of four attempts', false, { failures: 4, attempts: 4 }, '🟡'],
  ])('has the color of its channel: a partial failure %s', (_, critical, lately, emoji) => {
    const row = aRow({ tally: aTally({ verdict: 'partly-failed', critical }), lately: someLately(lately) });
    expect(drawn(row)[0]).toMatch(new RegExp(`^${emoji} `, 'u'));
  });

  test("has warnings, and isn't failing, if nothing else is known", () => {
    const tally = aTally({ verdict: 'warning' });
    const parts = ['a', 'b'].map((workflow) => ({
      tally: aTally({ verdict: 'warning', group: { workflow } }),
      share: null,
    }));
    expect(drawn(aRow({ tally, parts }))[0]).toContain('has warnings in 2 workflows');
    const lines = drawn(aRow({ tally, lately: someLately({ failures: 1, attempts: null }) }));
    expect(lines).toContainEqual(expect.stringMatching(/^Now \(5 min to .*\): 1 warning · last warning /));
    expect(lines).toContainEqual(expect.stringMatching(/^Since .*: 48 warnings in 3 min · /));
    expect(lines.join('\n')).not.toMatch(/failure/);
  });

  test.each([
    [{ failures: 1, attempts: 1 }, '1 of 1 attempt failed'],
    [{ failures: 2, attempts: 4 }, '2 of 4 attempts failed'],
    [{ failures: 1, attempts: 5 }, '1 of 5 attempts failed (20%)'],
    [{ failures: 0, attempts: 60 }, 'none of 60 attempts failed'],
    [{ failures: 1_200, attempts: 4_800 }, '1,200 of 4,800 attempts failed (25%)'],
    [{ failures: 0, attempts: 0 }, 'nothing attempted'],
    [{ failures: 3, attempts: null }, '3 failures'],
  ])('shows its current state, with a percentage only for five attempts or more: %j', (lately, words) => {
    expect(drawn(aRow({ lately: someLately(lately) }))[2]).toContain(`UTC): ${words} · last failure`);
  });

  test('shows how often it has relapsed', () => {
    expect(drawn(aRow({ relapses: 1, reason: 'relapsed' }))[0]).toMatch(
      /order-shipped · relapsed · failing again · #1$/,
    );
    expect(drawn(aRow({ relapses: 3 }))[0]).toMatch(/order-shipped · relapsed 3× · #1$/);
    const state = { is: 'recovering', since: at(3 * 60), sendingSince: null } as const;
    expect(drawn(aRow({ relapses: 1, reason: 'relapsed', state }))[0]).toMatch(/order-shipped · relapsed · #1$/);
  });

  test("shows why it's listed unless it's new", () => {
    const before = { firstSeen: at(-24 * HOUR), lastSeen: at(12 - 2 * HOUR) };
    expect(drawn(aRow({ reason: 'back', before }))[0]).toMatch(/ · back after 2 h · #1$/);
    const outageSince = at(-24 * HOUR);
    expect(drawn(aRow({ reason: 'goes-on', outageSince }))[0]).toMatch(/ · ongoing since 2026-03-03 12:00 UTC · #1$/);
    expect(drawn(aRow({ reason: 'grown', grown: { from: 12, to: 130 } }))[0]).toMatch(/ · grew from 12 to 130 · #1$/);
    expect(drawn(aRow({ reason: 'missed', missed: 412 }))[0]).toMatch(/ · 412 while muted · #1$/);
  });

  test('gives no pause for an incident that is back by a failure from before the last known one, found late', () => {
    const tally = aTally({ firstSeen: at(-15 * 60) });
    const row = (lastSeen: Date) =>
      drawn(aRow({ reason: 'back', tally, before: { firstSeen: at(-24 * HOUR), lastSeen } }))[0];
    expect(row(NOON)).toMatch(/order-shipped · back · #1$/);
    expect(row(at(-15 * 60))).toMatch(/order-shipped · back · #1$/);
    expect(row(at(-16 * 60))).toMatch(/order-shipped · back after 1 min · #1$/);
  });

  test("shows why it's listed even if its past is unknown", () => {
    expect(drawn(aRow({ reason: 'back' }))[0]).toMatch(/ · back · #1$/);
    expect(drawn(aRow({ reason: 'grown' }))[0]).toMatch(/ · up 10× · #1$/);
    expect(drawn(aRow({ reason: 'missed' }))[0]).toMatch(/ · failed while muted · #1$/);
  });

  test('shows acknowledgments and mutes', () => {
    expect(drawn(aRow({ acknowledged: { by: 'U0ANN', at: at(360) } }))[5]).toBe(
      '👀 <@U0ANN> acknowledged at 2026-03-04 12:06 UTC',
    );
    expect(drawn(aRow({ unacknowledged: { by: 'U0BEN', at: at(480) } }))[5]).toBe(
      '↩️ <@U0BEN> unacknowledged at 2026-03-04 12:08 UTC',
    );
    expect(drawn(aRow({ mute: { by: 'U0ANN', from: NOON, until: at(2 * HOUR) } }))[5]).toBe(
      '🔕 muted by <@U0ANN> until 2026-03-04 14:00 UTC',
    );
  });

  test('shows signs of recovery, and is folded once resolved', () => {
    expect(drawn(aRow({ state: { is: 'quiet', since: at(31 * 60) } }))[5]).toBe(
      "⚪ no failures since 2026-03-04 12:31 UTC, and too few successes to say that it's over",
    );
    const state = { is: 'recovering', since: at(180), sendingSince: at(240) } as const;
    expect(drawn(aRow({ state }))[0]).toBe('⚪ Email · SendGrid — order-shipped · #1');
    expect(drawn(aRow({ state }))[5]).toBe(
      'recovering: no failures since 2026-03-04 12:03 UTC, delivered again since 2026-03-04 12:04 UTC',
    );
    const resolved = (by: string | null) =>
      drawn(aRow({ state: { is: 'resolved', at: at(31 * 60), by }, acknowledged: { by: 'U0ANN', at: NOON } }));
    expect(resolved(null).slice(0, 4)).toEqual([
      '✅ Email · SendGrid — order-shipped · #1',
      'resolved: recovered by 2026-03-04 12:31 UTC',
      'Since 12:00:12 UTC: 48 failures in 3 min · 48 of its 400 events · 47 subscribers · Failed: The provided authorization grant is invalid (401)',
      'Look up',
    ]);
    expect(resolved('U0ANN')[1]).toBe('resolved by <@U0ANN> at 2026-03-04 12:31 UTC');
  });

  test('leaves out its example and its workflows when room is scarce', () => {
    expect(drawn(aRow(), true)[4]).toBe('Look up');
  });

  test('has a sentence that says everything', () => {
    const row = aRow({
      tally: aTally({ failures: 130 }),
      reason: 'grown',
      grown: { from: 12, to: 130 },
      acknowledged: { by: 'U0ANN', at: NOON },
    });
    expect(`${incidentSentence(row, reasonWords(row))}`).toBe(
      'Email via SendGrid, order-shipped: 130 failed, The provided authorization grant is invalid (401), grew from 12 to 130, acknowledged',
    );
  });
});
