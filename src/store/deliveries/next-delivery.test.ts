import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { EDITS_A_MINUTE } from '../../domain/alerting/pace.ts';
import type { ClaimedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { digestAt, goOn, postedAt, seconds } from './deliveries.testing.ts';

const SHOWN = { ts: '1.1', fingerprint: 'drawn again', failures: 2 };

describeStore('the next delivery', (store) => {
  beforeEach(async () => {
    await store().watches.ensureWatch('C1', at(-1));
  });

  const next = (now: Date) => store().deliveries.nextDeliveryAt(now);

  async function claim(now: Date): Promise<ClaimedMessage> {
    const claimed = await store().deliveries.claimMessage(now);
    if (claimed === null) throw new Error('there is nothing to be posted');
    return claimed;
  }

  test('is in a minute while an incident is open, and never if everything is posted and shown', async () => {
    expect(await next(NOON)).toBeNull();
    await postedAt(store(), NOON, 'a');
    expect(await next(seconds(30))).toEqual(seconds(61));
    await store().executeSql("UPDATE episodes SET state = 'quiet'");
    expect(await next(at(1))).toBeNull();
  });

  test('is now for a new message, and at its retry time for a failed one', async () => {
    await digestAt(store(), NOON, 'a');
    expect(await next(NOON)).toEqual(NOON);
    await store().deliveries.noteNotPosted(await claim(NOON), 'HTTP 400', seconds(2));
    expect(await next(NOON)).toEqual(seconds(2));
  });

  test.each([30, -30])("is when Retry-After has passed, even if Notif's clock is %i s off", async (skew) => {
    const now = new Date(Date.now() + skew * 1000);
    await digestAt(store(), now, 'a');
    const until = new Date(now.getTime() + 2_000);
    await store().deliveries.noteRateLimited(await claim(now), until);
    expect(await next(now)).toEqual(until);
    expect(await store().deliveries.claimMessage(new Date(until.getTime() - 1))).toBeNull();
    await claim(until);
  });

  test("is when a claimer's lease expires, by the caller's clock", async () => {
    await digestAt(store(), NOON, 'a');
    await claim(NOON);
    await store().deliveries.releaseClaims(3_000);
    const dueAt = await next(seconds(100));
    expect(dueAt?.getTime()).toBeGreaterThan(seconds(101).getTime());
    expect(dueAt?.getTime()).toBeLessThanOrEqual(seconds(103).getTime() + 1);
  });

  test('is half a minute after the last edit for rising counts, at once for a changed state, and after a pause in any case', async () => {
    const id = await postedAt(store(), NOON, 'a');
    await goOn(store(), seconds(10), 'a');
    expect(await next(seconds(10))).toEqual(seconds(31));
    await store().executeSql('UPDATE messages SET redraw_at = $2 WHERE id = $1', [id, seconds(11)]);
    expect(await next(seconds(12))).toEqual(seconds(12));
    await store().deliveries.pauseEdits(seconds(50));
    expect(await next(seconds(12))).toEqual(seconds(50));
  });

  test("is when edits are available again, once the minute's are used up", async () => {
    const id = await postedAt(store(), NOON, 'a');
    const used = `INSERT INTO edits (begun_at) SELECT $1::timestamptz FROM generate_series(1, ${EDITS_A_MINUTE})`;
    await store().executeSql(used, [seconds(20)]);
    await store().executeSql('UPDATE messages SET redraw_at = $2 WHERE id = $1', [id, seconds(21)]);
    expect(await next(seconds(21))).toEqual(seconds(80));
  });

  describe('over random courses of deliveries', () => {
    const Step = fc.record({
      passMs: fc.constantFrom(0, 0, 1_000, 1_000, 3_000, 30_000, 61_000, 1_800_000, 86_400_000),
      happens: fc.constantFrom('failure', 'failure', 'failure', 'state', 'release', 'nothing'),
      cause: fc.constantFrom('a', 'one of its own'),
      outcome: fc.constantFrom('done', 'later', 'rate-limited', 'unknown', 'deleted', 'message', 'channel', 'died'),
    });

    test('is now exactly when something can be claimed now', async () => {
      let clock = at(10);
      await fc.assert(
        fc.asyncProperty(fc.array(Step, { minLength: 5, maxLength: 20 }), async (steps) => {
          for (const { passMs, happens, cause, outcome } of steps) {
            clock = new Date(clock.getTime() + passMs + 1);
            if (happens === 'failure') await digestAt(store(), clock, cause === 'a' ? cause : `${clock.getTime()}`);
            if (happens === 'state') await store().executeSql('UPDATE messages SET redraw_at = $1', [clock]);
            if (happens === 'release') await store().deliveries.releaseClaims(0);
            const isDueNow = (await next(clock))?.getTime() === clock.getTime();
            expect(await takesOne(clock, outcome)).toBe(isDueNow);
          }
        }),
        { numRuns: 4 },
      );
    });

    async function takesOne(now: Date, outcome: string): Promise<boolean> {
      const { deliveries } = store();
      const message = await deliveries.claimMessage(now);
      if (message !== null) return settlePost(message, now, outcome).then(() => true);
      const posted = await deliveries.claimEdit(now);
      if (posted === null) return false;
      const later = new Date(now.getTime() + 7_000);
      if (outcome === 'done') await deliveries.noteEdited(posted, { ...SHOWN, fingerprint: now.toISOString() });
      if (outcome === 'later') await deliveries.noteNotEdited(posted, later);
      if (outcome === 'rate-limited') await deliveries.pauseEdits(later);
      if (outcome === 'deleted') await deliveries.noteDeleted(posted);
      if (outcome === 'message' || outcome === 'channel') {
        await deliveries.noteFrozen(posted, { reason: 'is_inactive', scope: outcome }, now);
      }
      return true;
    }

    async function settlePost(message: ClaimedMessage, now: Date, outcome: string): Promise<void> {
      const { deliveries } = store();
      const later = new Date(now.getTime() + 7_000);
      if (outcome === 'later') return deliveries.noteNotPosted(message, 'HTTP 400', later);
      if (outcome === 'rate-limited') return deliveries.noteRateLimited(message, later);
      if (outcome === 'unknown') return deliveries.noteUnresolved(message, 60_000);
      if (outcome !== 'died') return deliveries.notePosted(message.id, SHOWN, now);
    }
  });
});
