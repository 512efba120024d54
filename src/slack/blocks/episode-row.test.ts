import { describe, expect, test } from 'vitest';
import { aRow, aTally, at, NOON, wordsOf } from '../slack.testing.ts';
import { episodeRow, episodeSentence } from './episode-row.ts';
import { reasonWords } from './state-words.ts';

const drawn = (row: ReturnType<typeof aRow>, isTerse = false) => {
  const options = { deliveryId: 'digest-1', reason: reasonWords(row), namesPeople: true, isTerse };
  return wordsOf({ blocks: episodeRow(row, options) }).split('\n');
};
const HOUR = 3_600;

describe('a row', () => {
  test('says what failed where, why, how much, and whom to look at', () => {
    expect(drawn(aRow({ trend: [10, 20, 40, 80] })).slice(0, 4)).toEqual([
      '🔴 Email · SendGrid — order-shipped',
      'Failed: The provided authorization grant is invalid (401)',
      '48 failures in 3 min · 12 % of order-shipped · 47 subscribers · 12:00:12 UTC – 12:03:12 UTC · ▁▂▄█ rising',
      'e.g. txn_8f2c for user-0042',
    ]);
  });

  test('says why it stands here, where it is not new', () => {
    const before = { firstSeen: at(-24 * HOUR), lastSeen: at(12 - 2 * HOUR) };
    expect(drawn(aRow({ reason: 'back', before }))[0]).toMatch(/ · back after 2 h$/);
    expect(drawn(aRow({ reason: 'goes-on', before }))[0]).toMatch(/ · goes on since 2026-03-03 12:00 UTC$/);
    expect(drawn(aRow({ reason: 'grown', grown: { from: 12, to: 130 } }))[0]).toMatch(/ · grew from 12 to 130$/);
    expect(drawn(aRow({ reason: 'missed', missed: 412 }))[0]).toMatch(/ · 412 while it was muted$/);
  });

  test('says so too where nothing is known of before', () => {
    expect(drawn(aRow({ reason: 'back' }))[0]).toMatch(/ · back$/);
    expect(drawn(aRow({ reason: 'goes-on' }))[0]).toMatch(/ · goes on$/);
    expect(drawn(aRow({ reason: 'grown' }))[0]).toMatch(/ · grew tenfold$/);
    expect(drawn(aRow({ reason: 'missed' }))[0]).toMatch(/ · failed while it was muted$/);
  });

  test('shows what people made of it', () => {
    expect(drawn(aRow({ acknowledged: { by: 'U0ANN', at: at(360) } }))[4]).toBe(
      '👀 <@U0ANN> acknowledged at 2026-03-04 12:06 UTC',
    );
    expect(drawn(aRow({ takenBack: { by: 'U0BEN', at: at(480) } }))[4]).toBe(
      '↩️ <@U0BEN> took the acknowledgement back at 2026-03-04 12:08 UTC',
    );
    expect(drawn(aRow({ mute: { by: 'U0ANN', from: NOON, until: at(2 * HOUR) } }))[4]).toBe(
      '🔕 muted by <@U0ANN> until 2026-03-04 14:00 UTC',
    );
  });

  test('tells quiet from recovered, and folds what has recovered', () => {
    expect(drawn(aRow({ phase: { phase: 'quiet', since: at(31 * 60) } }))[4]).toBe(
      '⚪ quiet since 2026-03-04 12:31 UTC',
    );
    const recovered = aRow({
      phase: { phase: 'recovered', since: at(31 * 60) },
      acknowledged: { by: 'U0ANN', at: NOON },
    });
    expect(drawn(recovered).slice(0, 4)).toEqual([
      '✅ Email · SendGrid — order-shipped',
      'recovered: sending again since 2026-03-04 12:31 UTC',
      '48 failures in 3 min, the last at 12:03:12 UTC · Failed: The provided authorization grant is invalid (401)',
      'Look up',
    ]);
  });

  test('does without its example and its course where room is scarce', () => {
    expect(drawn(aRow({ trend: [10, 20, 40, 80] }), true)[2]).not.toContain('rising');
    expect(drawn(aRow(), true)[3]).toBe('Look up');
  });

  test('says it all in a sentence', () => {
    const row = aRow({
      tally: aTally({ failures: 130 }),
      reason: 'grown',
      grown: { from: 12, to: 130 },
      trend: [10, 20, 40, 80],
      acknowledged: { by: 'U0ANN', at: NOON },
    });
    expect(`${episodeSentence(row, reasonWords(row))}`).toBe(
      'Email via SendGrid, order-shipped: 130 failed, The provided authorization grant is invalid (401), grew from 12 to 130, rising, acknowledged',
    );
  });
});
