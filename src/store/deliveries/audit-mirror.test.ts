import { beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '../../domain/access/audit.ts';
import type { ClaimedMessage } from '../../use-cases/alerting/deliver-messages.ts';
import { at, NOON } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const DONE: AuditEntry = {
  at: NOON,
  actor: 'U1',
  channel: 'C1',
  environment: 'production',
  change: { action: 'credentials', subscriberId: 'anna', provider: 'fcm' },
  outcome: { is: 'done' },
  intentId: 'intent-1',
};
const BEGUN: AuditEntry = { ...DONE, outcome: { is: 'begun' } };
const SHOWN = { ts: '1.1', fingerprint: 'f', failures: 0 };

describeStore('the mirror of the audit trail', (store) => {
  beforeEach(() => store().audit.configureMirror('C0AUDIT'));

  async function claim(now: Date): Promise<ClaimedMessage> {
    const claimed = await store().deliveries.claimMessage(now);
    if (claimed === null) throw new Error('there is nothing to be posted');
    return claimed;
  }

  async function post(now: Date): Promise<string> {
    const { id } = await claim(now);
    await store().deliveries.notePosted(id, SHOWN, now);
    return id;
  }

  test('accepts an entry once, with all its details', async () => {
    await store().audit.recordChange(DONE);
    const claims = await Promise.all([1, 2].map(() => store().deliveries.claimMessage(at(1))));
    const [claimed] = claims.filter((one) => one !== null);
    expect(claimed).toMatchObject({ kind: 'audit', channel: 'C0AUDIT', attempt: 1, unresolvedSince: null });
    expect(claims).toContain(null);
    const content = await store().deliveries.content(claimed?.id ?? '', at(1));
    expect(content).toEqual({ kind: 'audit', id: claimed?.id, channel: 'C0AUDIT', entry: DONE });
    await store().deliveries.notePosted(claimed?.id ?? '', SHOWN, at(1));
    expect(await store().deliveries.claimMessage(at(60))).toBeNull();
  });

  test('ignores entries from while there was no audit channel, and continues in another channel', async () => {
    await store().audit.configureMirror(null);
    await store().audit.recordChange({ ...DONE, intentId: 'before' });
    await store().audit.configureMirror('C0AUDIT');
    expect(await store().deliveries.claimMessage(at(1))).toBeNull();
    await store().audit.recordChange({ ...DONE, at: at(1) });
    await store().audit.configureMirror('C0OTHER');
    expect(await claim(at(3))).toMatchObject({ channel: 'C0OTHER' });
    await store().audit.configureMirror(null);
    await store().audit.recordChange({ ...DONE, at: at(4), intentId: 'meanwhile' });
    expect(await store().deliveries.claimMessage(at(5))).toBeNull();
  });

  test('waits for the outcome of a change in progress, at most five minutes', async () => {
    await store().audit.recordChange(BEGUN);
    expect(await store().deliveries.claimMessage(at(4))).toBeNull();
    expect(await claim(at(5))).toMatchObject({ attempt: 1 });
    await store().audit.recordChange({ ...BEGUN, intentId: 'intent-2' });
    await store().audit.settleChange('intent-2', { is: 'unknown' });
    expect(await claim(at(1))).toMatchObject({ attempt: 1 });
  });

  test('redraws an entry whose outcome became known later, even during its post', async () => {
    await store().audit.recordChange(BEGUN);
    const { id } = await claim(at(5));
    await store().audit.settleChange('intent-1', { is: 'done' });
    await store().deliveries.notePosted(id, SHOWN, at(5));
    const edit = await store().deliveries.claimEdit(at(6));
    expect(edit).toMatchObject({ id, channel: 'C0AUDIT', ts: '1.1', fingerprint: 'f' });
    expect(await store().deliveries.claimEdit(at(6))).toBeNull();
    if (edit !== null) await store().deliveries.noteEdited(edit, { fingerprint: 'g', failures: 0 });
    expect(await store().deliveries.claimEdit(at(60))).toBeNull();
  });

  test('redraws it again after an interrupted or failed edit, and gives up a deleted message', async () => {
    await store().audit.recordChange(BEGUN);
    await post(at(5));
    await store().audit.settleChange('intent-1', { is: 'done' });
    await store().deliveries.claimEdit(at(6));
    await store().deliveries.releaseClaims(0);
    const again = await store().deliveries.claimEdit(at(7));
    if (again === null) throw new Error('there is nothing to be edited');
    await store().deliveries.noteNotEdited(again, at(9));
    expect(await store().deliveries.claimEdit(at(8))).toBeNull();
    const last = await store().deliveries.claimEdit(at(9));
    if (last !== null) await store().deliveries.noteDeleted(last);
    expect(await store().deliveries.claimEdit(at(60))).toBeNull();
  });

  test('looks for a post whose answer was lost or whose lease expired', async () => {
    await store().audit.recordChange(DONE);
    await store().deliveries.noteUnresolved(await claim(at(1)), 60_000);
    expect(await store().deliveries.claimMessage(at(2))).toBeNull();
    await store().deliveries.releaseClaims(0);
    expect(await claim(at(2))).toMatchObject({ attempt: 2, unresolvedSince: at(1) });
    expect(await store().deliveries.claimMessage(at(60))).toBeNull();
    await store().deliveries.releaseClaims(0);
    expect(await claim(at(3))).toMatchObject({ attempt: 3, unresolvedSince: at(1) });
  });

  test('retries when due, and pauses a channel in which Slack accepts nothing', async () => {
    await store().audit.recordChange(DONE);
    await store().deliveries.noteNotPosted(await claim(at(1)), 'HTTP 400', at(2));
    expect(await store().deliveries.claimMessage(at(1))).toBeNull();
    await store().deliveries.noteRateLimited(await claim(at(2)), at(3));
    await store().audit.recordChange({ ...DONE, intentId: 'another' });
    expect(await store().deliveries.claimMessage(at(2))).toBeNull();
    expect(await claim(at(3))).toMatchObject({ attempt: 3 });
  });

  test('says why its channel accepted no message, until it does', async () => {
    await store().audit.recordChange(DONE);
    expect(await store().audit.mirrorTrouble()).toBeNull();
    const trouble = { reason: 'not_in_channel', operators: [], retryAt: at(6) };
    await store().deliveries.noteShutOut(await claim(at(1)), 'channel-left', trouble, at(1));
    expect(await store().audit.mirrorTrouble()).toBe('not_in_channel');
    expect(await store().deliveries.claimMessage(at(5))).toBeNull();
    await post(at(6));
    expect(await store().audit.mirrorTrouble()).toBeNull();
  });
});
