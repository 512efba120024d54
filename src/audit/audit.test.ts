import { beforeEach, expect, test } from 'vitest';
import { act } from '../incidents/verbs.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import { AuditedChange } from '../lookups/audited.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { setChannelEnvironment } from '../watches/channel-environment.ts';
import { USUAL_SETTINGS, type Watch } from '../watches/settings.ts';
import { madeWatch, muteUntil, watchCtx } from '../watches/watches.testing.ts';
import { changeWatch, endWatch } from '../watches/watches.ts';
import { auditEntries, type NewEntry, recordEntry, settleChange } from './audit.ts';

const TRIGGER: NewEntry = {
  at: NOON,
  actor: 'U1',
  channel: 'C1',
  environment: 'production',
  incidentId: null,
  change: stored({ action: 'trigger', workflow: boundedId('order-shipped'), recipients: 3 }),
  outcome: { is: 'begun' },
  intentId: 'intent-1',
};

describeStore('the audit trail', (store) => {
  const all = { since: at(-60), environments: [], olderThan: null, limit: 10 };
  const outcomes = async () => (await auditEntries(store().db, all)).items.map(({ outcome }) => outcome);

  test('has one entry per intent, however often it is recorded concurrently', async () => {
    const recorded = await Promise.all([1, 2, 3].map(() => recordEntry(store().db, TRIGGER)));
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect((await auditEntries(store().db, all)).items).toEqual([
      { ...TRIGGER, id: expect.any(Number), outbreak: null },
    ]);
  });

  test('accepts any number of changes without an intent', async () => {
    await recordEntry(store().db, { ...TRIGGER, intentId: null });
    expect(await recordEntry(store().db, { ...TRIGGER, intentId: null })).toBe(true);
    expect(await outcomes()).toHaveLength(2);
  });

  test('keeps the first certain outcome', async () => {
    await recordEntry(store().db, TRIGGER);
    await settleChange(store().db, 'intent-1', { is: 'unknown' });
    expect(await outcomes()).toEqual([{ is: 'unknown' }]);
    await settleChange(store().db, 'intent-1', { is: 'sent', accepted: 2, refused: 1 });
    await settleChange(store().db, 'intent-1', { is: 'unknown' });
    expect(await outcomes()).toEqual([{ is: 'sent', accepted: 2, refused: 1 }]);
  });

  test('pages from the newest to the oldest, by time and environment', async () => {
    for (const minute of [0, 1, 2, 3]) {
      const environment = minute === 2 ? 'staging' : 'production';
      await recordEntry(store().db, { ...TRIGGER, at: at(minute), environment, intentId: `intent-${minute}` });
    }
    const query = { since: at(1), environments: ['production'], olderThan: null, limit: 1 };
    const first = await auditEntries(store().db, query);
    expect(first).toMatchObject({ items: [{ intentId: 'intent-3' }], hasOlder: true });
    const second = await auditEntries(store().db, { ...query, olderThan: first.items[0]?.id ?? 0 });
    expect(second).toMatchObject({ items: [{ intentId: 'intent-1' }], hasOlder: false });
  });

  test('has in each environment what belongs to none, such as a watch', async () => {
    const change = stored({ action: 'watch-ended', watch: boundedId('env:all') });
    await recordEntry(store().db, { ...TRIGGER, environment: null, change });
    const { items: entries } = await auditEntries(store().db, { ...all, environments: ['production'] });
    expect(entries).toMatchObject([{ change: { action: 'watch-ended' } }]);
  });
});

const TARGET = { messageId: null, incidentId: 1, channel: 'C1' };

describeStore("people's changes to watches and incidents", (store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await madeWatch(store().db, { channel: 'C1', createdBy: 'U0ANN', settings: USUAL_SETTINGS }, at(-1));
  });

  const ctx = (minute: number) => watchCtx(store().db, at(minute));
  const unmuted = (incidentId: number | null, actor: string) =>
    muteUntil(ctx(2), watch.id, incidentId, { actor, until: null });

  async function trail() {
    const query = { since: NOON, environments: [], olderThan: null, limit: 10 };
    const { items: entries } = await auditEntries(store().db, query);
    for (const entry of entries) expect(entry).toMatchObject({ outcome: { is: 'done' }, intentId: null });
    return entries.map(({ actor, channel, environment, change }) => ({ actor, channel, environment, change }));
  }

  test('are in the audit trail: making, changing and ending a watch', async () => {
    const settings = { ...USUAL_SETTINGS, everyMs: 60_000 };
    await madeWatch(store().db, { channel: 'C2', createdBy: 'U0BEN', settings }, NOON);
    const changed = { ...USUAL_SETTINGS, timeZone: 'Europe/Berlin' };
    await changeWatch(ctx(1), watch.id, { settings: changed, actor: 'U0BEN' });
    await endWatch(ctx(4), watch.id, 'U0ANN');
    const zone = 'env:all tz:Europe/Berlin';
    expect(await trail()).toMatchObject([
      { actor: 'U0ANN', channel: 'C1', environment: null, change: { action: 'watch-ended', watch: zone } },
      { actor: 'U0BEN', channel: 'C1', change: { action: 'watch-changed', watch: zone } },
      { actor: 'U0BEN', channel: 'C2', change: { action: 'watch-made', watch: 'env:all every:1m tz:UTC' } },
    ]);
  });

  test('are in the trail: muting and acknowledging an incident, and undoing both', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    const until = at(60);
    await muteUntil(ctx(1), watch.id, 1, { actor: 'U0ANN', until });
    await unmuted(1, 'U0BEN');
    await act(ctx(3), TARGET, { what: 'acknowledged' }, 'U0ANN');
    await act(ctx(4), TARGET, { what: 'unacknowledged' }, 'U0BEN');
    const incident = { number: 1, channel: 'email', provider: 'sendgrid' };
    const where = { channel: 'C1', environment: 'production' };
    expect(await trail()).toEqual([
      { actor: 'U0BEN', ...where, change: { action: 'unacknowledged', incident } },
      { actor: 'U0ANN', ...where, change: { action: 'acknowledged', incident } },
      { actor: 'U0BEN', ...where, change: { action: 'incident-unmuted', incident } },
      {
        actor: 'U0ANN',
        ...where,
        change: { action: 'incident-muted', incident, from: at(1).toISOString(), until: until.toISOString() },
      },
    ]);
  });

  test('are in the trail: muting a whole watch, and the environment of a channel', async () => {
    await muteUntil(ctx(1), watch.id, null, { actor: 'U0ANN', until: at(60) });
    await unmuted(null, 'U0ANN');
    const staging = anEnvironment({ name: 'staging' });
    await setChannelEnvironment(ctx(3), 'C1', staging, 'U0BEN');
    expect((await trail()).map(({ change }) => change)).toEqual([
      { action: 'channel-environment', to: 'staging' },
      { action: 'watch-unmuted', watch: 'env:all tz:UTC', part: null },
      {
        action: 'watch-muted',
        watch: 'env:all tz:UTC',
        part: null,
        from: at(1).toISOString(),
        until: at(60).toISOString(),
      },
    ]);
  });

  test('are not in the trail if nothing was changed', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    await Promise.all(['U0ANN', 'U0BEN'].map((person) => act(ctx(1), TARGET, { what: 'acknowledged' }, person)));
    await unmuted(1, 'U0BEN');
    await changeWatch(ctx(1), watch.id, { settings: USUAL_SETTINGS, actor: 'U0BEN' });
    await Promise.allSettled([1, 2].map(() => endWatch(ctx(4), watch.id, 'U0ANN')));
    expect((await trail()).map(({ change }) => AuditedChange.parse(change).action)).toEqual([
      'watch-ended',
      'acknowledged',
    ]);
  });
});
