import { beforeEach, describe, expect, it } from 'vitest';
import { DIGEST_ROWS, planDigest } from '../domain/digest.ts';
import { POSTING_LEASE_MS } from './deliveries.ts';
import { at, failureOf, NOON, recordFailures } from './examples.testing.ts';
import { describeStore } from './store.testing.ts';

const seconds = (count: number): Date => new Date(NOON.getTime() + count * 1000);

describeStore('deliveries', (store) => {
  beforeEach(() => store().ensureWatch('C1', at(-1)));

  async function digestAt(now: Date, ...causes: string[]): Promise<string> {
    await recordFailures(
      store(),
      now,
      causes.map((cause) => failureOf(cause)),
    );
    const [digestId = ''] = await store().announce('production', (untold) => planDigest(untold, now), now);
    return digestId;
  }

  describe('posting', () => {
    it('goes to one claimer, the oldest digest first', async () => {
      const older = await digestAt(NOON, 'a');
      const newer = await digestAt(at(1), 'b');
      const claims = await Promise.all([
        store().claimDigest(at(2)),
        store().claimDigest(at(2)),
        store().claimDigest(at(2)),
      ]);
      const claim = { channel: 'C1', attempt: 1, unresolvedSince: null };
      expect(claims).toEqual(expect.arrayContaining([{ id: older, ...claim }, { id: newer, ...claim }, null]));
    });

    it('is over once it was posted', async () => {
      const id = await digestAt(NOON, 'a');
      await store().claimDigest(NOON);
      await store().notePosted(id, { ts: '1.1', fingerprint: 'f' }, NOON);
      expect(await store().claimDigest(at(60))).toBeNull();
    });

    it('is tried again when it is time, with the attempts counted', async () => {
      const id = await digestAt(NOON, 'a');
      await store().claimDigest(NOON);
      await store().noteNotPosted(id, 'ratelimited', seconds(7));
      expect(await store().claimDigest(seconds(6))).toBeNull();
      expect(await store().claimDigest(seconds(7))).toEqual({ id, channel: 'C1', attempt: 2, unresolvedSince: null });
    });

    it('goes to another when its claimer is silent for longer than the lease, as unresolved', async () => {
      const id = await digestAt(NOON, 'a');
      await store().claimDigest(NOON);
      const lease = new Date(NOON.getTime() + POSTING_LEASE_MS);
      expect(await store().claimDigest(new Date(lease.getTime() - 1))).toBeNull();
      expect(await store().claimDigest(lease)).toMatchObject({ id, attempt: 2, unresolvedSince: NOON });
    });

    it('stays unresolved since its first lost answer', async () => {
      const id = await digestAt(NOON, 'a');
      await store().claimDigest(NOON);
      await store().noteUnresolved(id, seconds(3));
      expect(await store().claimDigest(seconds(3))).toMatchObject({ unresolvedSince: NOON });
      await store().noteUnresolved(id, seconds(6));
      expect(await store().claimDigest(seconds(6))).toMatchObject({ unresolvedSince: NOON, attempt: 3 });
    });
  });

  describe('editing', () => {
    const claimEdits = (now: Date, limit = 20) =>
      store().claimEdits(now, { editedBefore: new Date(now.getTime() - 30_000), postedAfter: at(-1440), limit });

    async function posted(now: Date, ...causes: string[]): Promise<string> {
      const id = await digestAt(now, ...causes);
      const drawnAt = new Date(now.getTime() + 1000);
      await store().claimDigest(drawnAt);
      await store().notePosted(id, { ts: '1.1', fingerprint: 'drawn first' }, drawnAt);
      return id;
    }
    const goOn = (now: Date, ...causes: string[]) =>
      recordFailures(
        store(),
        now,
        causes.map((cause) => failureOf(cause, { eventKey: `${cause} at ${now.toISOString()}` })),
      );

    it('is due when a row counted on since it was drawn, at most every half minute', async () => {
      const id = await posted(NOON, 'a');
      expect(await claimEdits(at(1))).toEqual([]);
      await goOn(seconds(10), 'a');
      expect(await claimEdits(seconds(30))).toEqual([]);
      expect(await claimEdits(seconds(31))).toEqual([{ id, channel: 'C1', ts: '1.1', fingerprint: 'drawn first' }]);
      expect(await claimEdits(seconds(60))).toEqual([]);
    });

    it('is over once it was edited, until the row goes on', async () => {
      const id = await posted(NOON, 'a');
      await goOn(at(1), 'a');
      await claimEdits(at(2));
      await store().noteEdited(id, 'drawn again');
      expect(await claimEdits(at(3))).toEqual([]);
      await goOn(at(4), 'a');
      expect(await claimEdits(at(5))).toMatchObject([{ fingerprint: 'drawn again' }]);
    });

    it('is due again when it failed, or when nobody said how it went', async () => {
      const id = await posted(NOON, 'a');
      await goOn(at(1), 'a');
      await claimEdits(at(2));
      await store().noteNotEdited(id);
      expect(await claimEdits(at(3))).toHaveLength(1);
      expect(await claimEdits(at(4))).toHaveLength(1);
    });

    it('misses nothing that was recorded while it was being made', async () => {
      const id = await posted(NOON, 'a');
      await goOn(at(1), 'a');
      await claimEdits(at(2));
      await goOn(new Date(at(2).getTime() + 1), 'a');
      await store().noteEdited(id, 'drawn between');
      expect(await claimEdits(at(3))).toHaveLength(1);
    });

    it('takes the message as it was when its lost post began', async () => {
      const id = await digestAt(NOON, 'a');
      await store().claimDigest(seconds(1));
      await store().noteUnresolved(id, seconds(4));
      await goOn(seconds(2), 'a');
      await store().claimDigest(seconds(4));
      await store().notePosted(id, { ts: '1.1', fingerprint: '' }, seconds(5));
      expect(await claimEdits(at(1))).toHaveLength(1);
    });

    it('goes by its rows: what is behind the button does not change the message', async () => {
      const causes = Array.from({ length: DIGEST_ROWS + 1 }, (_, index) => `cause ${index}`);
      const id = await posted(NOON, ...causes);
      const { groups, total } = await store().digestGroups(id, { offset: DIGEST_ROWS, limit: 5 });
      expect(total).toBe(DIGEST_ROWS + 1);
      const [hidden = ''] = groups.map(({ group }) => group.cause.text);
      await goOn(at(1), hidden);
      expect(await claimEdits(at(2))).toEqual([]);
      expect(await store().content(id)).toMatchObject({
        moreGroups: 1,
        rows: expect.objectContaining({ length: DIGEST_ROWS }),
      });
    });

    it('claims as many as are asked for, each once', async () => {
      const ids = [await posted(NOON, 'a'), await posted(NOON, 'b'), await posted(NOON, 'c')];
      await goOn(at(1), 'a', 'b', 'c');
      const claimed = [...(await claimEdits(at(2), 2)), ...(await claimEdits(at(2), 2))];
      expect(claimed.map(({ id }) => id).sort()).toEqual(ids.sort());
    });

    it('ends for a message that is gone, and what it never showed is announced anew', async () => {
      const id = await posted(NOON, 'a', 'b');
      await goOn(at(1), 'a');
      await claimEdits(at(2));
      await store().endAnnouncements(id, at(2));
      await goOn(at(3), 'a');
      expect(await claimEdits(at(4))).toEqual([]);
      const [again = ''] = await store().announce('production', (untold) => planDigest(untold, at(4)), at(4));
      expect((await store().content(again)).rows).toMatchObject([
        { tally: { failures: 3, group: { cause: { text: 'a' } } } },
      ]);
    });
  });
});
