import { beforeEach, describe, expect, test } from 'vitest';
import { COUNTS_A_MINUTE, EDITS_A_MINUTE } from '../../domain/alerting/pace.ts';
import type { PostedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { claimEdits, digestAt, digestNow, goOn, postedAt, seconds } from './deliveries.testing.ts';

const SHOWN = { fingerprint: 'drawn again', failures: 2 };

describeStore('an edit', (store) => {
  beforeEach(() => store().watches.ensureWatch('C1', at(-1)));

  const posted = (now: Date, ...causes: string[]) => postedAt(store(), now, ...causes);
  const fail = (now: Date, ...causes: string[]) => goOn(store(), now, ...causes);
  const due = (now: Date) => claimEdits(store(), now);
  const changeState = (digestId: string, now: Date) =>
    store().executeSql('UPDATE messages SET redraw_at = $2 WHERE id = $1', [digestId, now]);

  async function claim(now: Date): Promise<PostedMessage> {
    const claimed = await store().deliveries.claimEdit(now);
    if (claimed === null) throw new Error('there is nothing to be edited');
    return claimed;
  }

  describe('for rising counts', () => {
    test('is due when a row has counted more since it was drawn, at most every half minute', async () => {
      const id = await posted(NOON, 'a');
      expect(await due(at(1))).toEqual([]);
      await fail(seconds(10), 'a');
      expect(await due(seconds(30))).toEqual([]);
      const claimedAt = seconds(31);
      expect(await due(claimedAt)).toEqual([
        { id, channel: 'C1', ts: '1.1', fingerprint: 'drawn first', attempt: 1, claimedAt },
      ]);
      expect(await due(seconds(60))).toEqual([]);
    });

    test('is over once made, until a row counts again', async () => {
      await posted(NOON, 'a');
      await fail(at(1), 'a');
      await store().deliveries.noteEdited(await claim(at(2)), SHOWN);
      expect(await due(seconds(150))).toEqual([]);
      await fail(seconds(151), 'a');
      expect(await claim(seconds(152))).toMatchObject({ fingerprint: 'drawn again' });
    });

    test('comes every minute while an incident fires, every five minutes if its last failure is long ago, and never once it is quiet', async () => {
      await posted(NOON, 'a');
      expect(await due(seconds(59))).toEqual([]);
      await store().deliveries.noteEdited(await claim(seconds(62)), SHOWN);
      await store().deliveries.noteEdited(await claim(at(11)), SHOWN);
      expect(await due(at(15))).toEqual([]);
      expect(await due(at(16))).toHaveLength(1);
      await store().executeSql("UPDATE episodes SET state = 'quiet'");
      expect(await due(at(30))).toEqual([]);
    });

    test('stops a day after the post', async () => {
      await posted(NOON, 'a');
      await fail(at(24 * 60 - 1), 'a');
      expect(await due(at(24 * 60 + 1))).toEqual([]);
    });
  });

  describe('after one whose outcome is unknown', () => {
    test.each([
      ['drawn first', ''],
      ['repeat:drawn first', 'repeat:'],
    ])('no longer goes by what the message showed before, except for its mark: %s', async (shown, known) => {
      const id = await posted(NOON, 'a');
      await store().executeSql('UPDATE messages SET fingerprint = $2 WHERE id = $1', [id, shown]);
      await changeState(id, seconds(1));
      const lost = await claim(seconds(1));
      expect(lost).toMatchObject({ fingerprint: shown });
      await store().deliveries.noteNotEdited(lost, seconds(31));
      const again = await claim(seconds(31));
      expect(again).toMatchObject({ fingerprint: known, attempt: 2 });
      await store().deliveries.noteEdited(again, { fingerprint: shown, failures: 1 });
      await changeState(id, seconds(40));
      expect(await claim(seconds(40))).toMatchObject({ fingerprint: shown, attempt: 1 });
    });

    test('goes by the same after the process that made it was killed', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      await claim(seconds(1));
      await store().executeSql("UPDATE messages SET edit_leased_until = clock_timestamp() - interval '1 second'");
      await changeState(id, seconds(40));
      expect(await claim(seconds(40))).toMatchObject({ fingerprint: '', attempt: 2 });
    });
  });

  describe('for a changed state', () => {
    test('is due at once', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      expect(await claim(seconds(1))).toMatchObject({ id });
    });

    test("waits for an edit under way, and isn't lost when that ends", async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      const edit = await claim(seconds(1));
      await changeState(id, seconds(1));
      expect(await due(seconds(2))).toEqual([]);
      await store().deliveries.noteEdited(edit, SHOWN);
      expect(await due(seconds(2))).toHaveLength(1);
    });
  });

  describe('without success', () => {
    test('is retried when due', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      await store().deliveries.noteNotEdited(await claim(seconds(1)), seconds(40));
      expect(await due(seconds(39))).toEqual([]);
      expect(await due(seconds(40))).toHaveLength(1);
    });

    test('is taken over when its lease expires without an outcome; a late outcome changes nothing', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      const silent = await claim(seconds(1));
      expect(await due(at(60))).toEqual([]);
      await store().deliveries.releaseClaims(0);
      const successor = await claim(seconds(31));
      await store().deliveries.noteEdited(silent, { fingerprint: 'too late', failures: 9 });
      await store().deliveries.noteEdited(successor, SHOWN);
      expect(await due(seconds(89))).toEqual([]);
      await changeState(id, at(2));
      expect(await claim(at(2))).toMatchObject({ id, fingerprint: 'drawn again' });
    });

    test('pauses with all others while Slack accepts none', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, seconds(1));
      await store().deliveries.pauseEdits(seconds(60));
      expect(await due(seconds(59))).toEqual([]);
      expect(await due(seconds(60))).toHaveLength(1);
    });

    test('stops for a deleted message, and what it never showed is announced again', async () => {
      await posted(NOON, 'a', 'b');
      await fail(at(1), 'a');
      await store().deliveries.noteDeleted(await claim(at(2)));
      await fail(at(40), 'a');
      expect(await due(at(41))).toEqual([]);
      const again = await digestAt(store(), at(41));
      expect(await digestNow(store(), again, at(41))).toMatchObject({
        rows: [{ tally: { failures: 3, group: { cause: { text: 'a' } } } }],
      });
    });
  });

  describe('refused by Slack', () => {
    const CLOSED = { reason: 'edit_window_closed', scope: 'message' } as const;
    const ARCHIVED = { reason: 'is_inactive', scope: 'channel' } as const;
    const refuse = async (now: Date, refusal: typeof CLOSED | typeof ARCHIVED) =>
      store().deliveries.noteFrozen(await claim(now), refusal, now);

    test('is never retried, and its incidents count as announced', async () => {
      await posted(NOON, 'a');
      await fail(at(1), 'a');
      await refuse(at(2), CLOSED);
      await fail(at(3), 'a');
      expect(await due(at(60))).toEqual([]);
      expect(await digestAt(store(), at(60))).toBe('');
    });

    test('is tried with one message every half hour if the channel was refused, until one succeeds', async () => {
      const ids = [await posted(NOON, 'a'), await posted(seconds(1), 'b')];
      await Promise.all(ids.map((id) => changeState(id, at(1))));
      await refuse(at(1), ARCHIVED);
      expect(await due(at(30))).toEqual([]);
      expect(await due(at(31))).toHaveLength(1);
      await store().deliveries.releaseClaims(0);
      const probe = await claim(at(61));
      await store().deliveries.noteEdited(probe, SHOWN);
      expect(await due(at(61))).toHaveLength(1);
    });

    test('is reported by channel, until an edit succeeds there', async () => {
      const id = await posted(NOON, 'a');
      await changeState(id, at(1));
      await refuse(at(1), ARCHIVED);
      expect(await store().deliveries.editRefusals()).toEqual([{ channel: 'C1', reason: 'is_inactive' }]);
      await store().deliveries.noteEdited(await claim(at(31)), SHOWN);
      expect(await store().deliveries.editRefusals()).toEqual([]);
    });
  });

  describe('of a gap notice', () => {
    const DAYS = 3 * 24 * 60;

    async function notice(): Promise<string> {
      const { id } = await store().watches.ensureWatch('C1', NOON);
      await store().executeSql(
        `INSERT INTO gaps (id, environment, begins_at, cause, opened_at) VALUES ('g', 'production', $1, 'unreachable', $1)`,
        [NOON],
      );
      await store().executeSql(
        `INSERT INTO messages (id, watch_id, environment, kind, created_at, covered_from, covered_to, gap_id)
         VALUES ('notice', $1, 'production', 'gap', $2, $2, $2, 'g')`,
        [id, NOON],
      );
      await store().deliveries.claimMessage(NOON);
      await store().deliveries.notePosted('notice', { ts: '1.1', fingerprint: 'open', failures: 0 }, NOON);
      return 'notice';
    }
    test('is made for longer than a day, until the gap is closed', async () => {
      const id = await notice();
      await changeState(id, at(DAYS));
      expect(await claim(at(DAYS))).toMatchObject({ id, fingerprint: 'open' });
    });
  });

  describe('within a minute', () => {
    const NUMBER = EDITS_A_MINUTE + 5;

    async function manyPosted(): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < NUMBER; n += 1) ids.push(await posted(NOON, `cause ${n}`));
      return ids;
    }

    test('leaves room for state changes, and never exceeds the limit', async () => {
      const ids = await manyPosted();
      await fail(at(1), ...ids.map((_, n) => `cause ${n}`));
      expect(await due(at(2))).toHaveLength(COUNTS_A_MINUTE);
      await Promise.all(ids.map((id) => changeState(id, seconds(125))));
      expect(await due(seconds(160))).toHaveLength(EDITS_A_MINUTE - COUNTS_A_MINUTE);
      expect(await due(seconds(179))).toEqual([]);
      await store().deliveries.releaseClaims(0);
      expect(await due(seconds(180))).toHaveLength(COUNTS_A_MINUTE);
    });
  });
});
