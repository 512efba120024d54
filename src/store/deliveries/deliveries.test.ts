import { beforeEach, describe, expect, test } from 'vitest';
import { POSTING_LEASE_MS } from '../../domain/alerting/pace.ts';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import type { ClaimedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';
import { digestAt, seconds } from './deliveries.testing.ts';

const SHOWN = { ts: '1.1', fingerprint: 'f', failures: 1 };

describeStore('posting', (store) => {
  beforeEach(() => store().watches.ensureWatch('C1', at(-1)));

  const digest = (now: Date, ...causes: string[]) => digestAt(store(), now, ...causes);

  async function claim(now: Date): Promise<ClaimedMessage> {
    const claimed = await store().deliveries.claimMessage(now);
    if (claimed === null) throw new Error('there is nothing to be posted');
    return claimed;
  }

  const pass = (ms: number) =>
    store().executeSql(`UPDATE messages SET leased_until = leased_until - interval '${ms} milliseconds'`);

  test('goes to one claimer, the oldest message first', async () => {
    const older = await digest(NOON, 'a');
    await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings: UNFILTERED }, NOON);
    await digest(at(1), 'b');
    const claims = await Promise.all([
      store().deliveries.claimMessage(at(2)),
      store().deliveries.claimMessage(at(2)),
      store().deliveries.claimMessage(at(2)),
    ]);
    const claimed = {
      kind: 'digest',
      threadTs: null,
      attempt: 1,
      claimedAt: at(2),
      unresolvedSince: null,
    };
    expect(claims).toEqual(
      expect.arrayContaining([
        { id: older, channel: 'C1', ...claimed },
        { id: expect.any(String), channel: 'C2', ...claimed },
        null,
      ]),
    );
  });

  test('is over once the message was posted', async () => {
    await digest(NOON, 'a');
    const { id } = await claim(NOON);
    await store().deliveries.notePosted(id, SHOWN, NOON);
    expect(await store().deliveries.claimMessage(at(60))).toBeNull();
  });

  test('is retried when due, with the attempts counted', async () => {
    await digest(NOON, 'a');
    await store().deliveries.noteNotPosted(await claim(NOON), 'HTTP 400', seconds(7));
    expect(await store().deliveries.claimMessage(seconds(6))).toBeNull();
    expect(await claim(seconds(7))).toMatchObject({ attempt: 2, unresolvedSince: null });
  });

  test("goes to another claimer as unresolved when the lease has expired by the database's clock", async () => {
    const id = await digest(NOON, 'a');
    await claim(NOON);
    await pass(POSTING_LEASE_MS - 5_000);
    expect(await store().deliveries.claimMessage(NOON)).toBeNull();
    await pass(5_000);
    expect(await claim(seconds(1))).toMatchObject({ id, attempt: 2, unresolvedSince: NOON });
  });

  test('stays with a claimer that renews its lease, until another one has it', async () => {
    const id = await digest(NOON, 'a');
    const claimed = await claim(NOON);
    await pass(POSTING_LEASE_MS - 1_000);
    expect(await store().deliveries.renewClaim(claimed)).toBe(true);
    await pass(1_000);
    expect(await store().deliveries.claimMessage(NOON)).toBeNull();
    await pass(POSTING_LEASE_MS);
    expect(await claim(seconds(1))).toMatchObject({ id, attempt: 2 });
    expect(await store().deliveries.renewClaim(claimed)).toBe(false);
  });

  test.each([30, -30, 600, -600])("goes to one replica if another's clock is %i s off", async (skew) => {
    await digest(NOON, 'a');
    await claim(at(20));
    expect(await store().deliveries.claimMessage(new Date(at(20).getTime() + skew * 1000))).toBeNull();
  });

  test('skips a message of a kind unknown to this version, which a newer one can post, and continues with the others', async () => {
    await digest(NOON, 'a');
    await store().executeSql(`UPDATE messages SET kind = 'of tomorrow'`);
    const id = await digest(at(1), 'b');
    expect(await claim(at(2))).toMatchObject({ id });
    expect(await store().deliveries.claimMessage(at(2))).toBeNull();
    expect(await store().operation.backlog()).toMatchObject({ waiting: 2, oldest: NOON });
  });

  test.each([0, 45, -45])('is looked for no sooner after a lost answer where a clock is %i s off', async (skew) => {
    const id = await digest(NOON, 'a');
    await store().deliveries.noteUnresolved(await claim(NOON), 60_000);
    const otherClock = seconds(59 + skew);
    expect(await store().deliveries.claimMessage(otherClock)).toBeNull();
    await pass(60_000);
    expect(await claim(otherClock)).toMatchObject({ id, attempt: 2, unresolvedSince: NOON });
  });

  test('stays unresolved since its first lost answer', async () => {
    await digest(NOON, 'a');
    await store().deliveries.noteUnresolved(await claim(NOON), 3_000);
    await pass(3_000);
    const again = await claim(seconds(3));
    expect(again).toMatchObject({ unresolvedSince: NOON });
    await store().deliveries.noteUnresolved(again, 3_000);
    await pass(3_000);
    expect(await claim(seconds(6))).toMatchObject({ unresolvedSince: NOON, attempt: 3 });
  });

  describe('by a claimer whose lease had expired', () => {
    test('changes nothing if it fails late: its successor decides', async () => {
      await digest(NOON, 'a');
      const late = await claim(NOON);
      await store().deliveries.releaseClaims(0);
      const successor = await claim(seconds(30));
      await store().deliveries.noteNotPosted(late, 'HTTP 400', seconds(31));
      await store().deliveries.noteUnresolved(late, 1_000);
      await store().deliveries.noteRateLimited(late, seconds(31));
      expect(await store().deliveries.claimMessage(seconds(40))).toBeNull();
      await store().deliveries.notePosted(successor.id, SHOWN, seconds(41));
      expect(await store().deliveries.claimMessage(at(60))).toBeNull();
    });

    test('counts if it succeeds late, whatever its successor reports later', async () => {
      await digest(NOON, 'a');
      const { id } = await claim(NOON);
      await store().deliveries.releaseClaims(0);
      const successor = await claim(seconds(30));
      await store().deliveries.notePosted(id, SHOWN, seconds(31));
      await store().deliveries.noteNotPosted(successor, 'HTTP 400', seconds(32));
      expect(await store().deliveries.claimMessage(at(60))).toBeNull();
    });
  });

  describe('during a rate limit', () => {
    test('sends nothing else to the same channel before the limit ends', async () => {
      await digest(NOON, 'a');
      await store().deliveries.noteRateLimited(await claim(NOON), seconds(20));
      await digest(seconds(1), 'b');
      expect(await store().deliveries.claimMessage(seconds(19))).toBeNull();
      expect(await claim(seconds(20))).toMatchObject({ attempt: 2 });
      expect(await store().deliveries.claimMessage(seconds(20))).toBeNull();
    });

    test('continues in the other channels', async () => {
      await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings: UNFILTERED }, at(-1));
      await digest(NOON, 'a');
      const limited = await claim(NOON);
      await store().deliveries.noteRateLimited(limited, seconds(20));
      const other = await claim(seconds(1));
      expect([limited.channel, other.channel].sort()).toEqual(['C1', 'C2']);
    });
  });

  test('skips the messages of a removed watch', async () => {
    const { id } = await store().watches.ensureWatch('C1', NOON);
    await digest(NOON, 'a');
    await store().watches.endWatch(id, 'U1', NOON);
    expect(await store().deliveries.claimMessage(at(1))).toBeNull();
  });
});
