import { beforeEach, expect, test } from 'vitest';
import { UNFILTERED, type Watch } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { acknowledge, unacknowledge } from '../../incidents/actions.ts';
import { mute, unmute } from '../../watches/mutes.ts';
import { at, failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const TARGET = { messageId: null, incidentId: 1, channel: 'C1' };

describeStore("people's changes to watches and incidents", (store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await store().watches.makeWatch({ channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));
  });

  const acts = (now: Date) => ({ db: store().database, logger: silent, now: () => now, wakeDelivery: async () => {} });

  async function trail() {
    const { entries } = await store().audit.auditEntries({ since: NOON, environments: [], olderThan: null, limit: 10 });
    for (const entry of entries) expect(entry).toMatchObject({ outcome: { is: 'done' }, intentId: null });
    return entries.map(({ actor, channel, environment, change }) => ({ actor, channel, environment, change }));
  }

  test('are in the audit trail: making, changing and ending a watch', async () => {
    await store().watches.makeWatch(
      { channel: 'C2', createdBy: 'U0BEN', settings: { ...UNFILTERED, everyMs: 60_000 } },
      NOON,
    );
    const changed = { ...UNFILTERED, timeZone: 'Europe/Berlin' };
    await store().watches.changeWatch(
      watch.id,
      { settings: changed, was: settingsKey(watch.settings), by: 'U0BEN' },
      at(1),
    );
    await store().watches.endWatch(watch.id, 'U0ANN', at(4));
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
    await mute(store().database, watch.id, 1, { by: 'U0ANN', until }, at(1));
    await unmute(store().database, watch.id, 1, 'U0BEN', at(2));
    await acknowledge(acts(at(3)), TARGET, 'U0ANN');
    await unacknowledge(acts(at(4)), TARGET, 'U0ANN', 'U0BEN');
    const incident = { number: 1, channel: 'email', provider: 'sendgrid' };
    const where = { channel: 'C1', environment: 'production' };
    expect(await trail()).toEqual([
      { actor: 'U0BEN', ...where, change: { action: 'unacknowledged', incident } },
      { actor: 'U0ANN', ...where, change: { action: 'acknowledged', incident } },
      { actor: 'U0BEN', ...where, change: { action: 'incident-unmuted', incident } },
      { actor: 'U0ANN', ...where, change: { action: 'incident-muted', incident, until } },
    ]);
  });

  test('are in the trail: muting a whole watch, and the environment of a channel', async () => {
    await mute(store().database, watch.id, null, { by: 'U0ANN', until: at(60) }, at(1));
    await unmute(store().database, watch.id, null, 'U0ANN', at(2));
    await store().watches.setChannelEnvironment('C1', { environment: 'staging', by: 'U0BEN', at: at(3) });
    expect((await trail()).map(({ change }) => change)).toEqual([
      { action: 'channel-environment', to: 'staging' },
      { action: 'watch-unmuted', watch: 'env:all tz:UTC' },
      { action: 'watch-muted', watch: 'env:all tz:UTC', until: at(60) },
    ]);
  });

  test('are not in the trail if nothing was changed', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    await Promise.all(['U0ANN', 'U0BEN'].map((by) => acknowledge(acts(at(1)), TARGET, by)));
    await unmute(store().database, watch.id, 1, 'U0BEN', at(2));
    await store().watches.changeWatch(watch.id, { settings: UNFILTERED, was: 'something else', by: 'U0BEN' }, at(1));
    const mutes = [at(60), new Date(at(60).getTime() + 2_000)].map((until) => ({ by: 'U0ANN', until }));
    for (const one of mutes) {
      await mute(store().database, watch.id, null, one, at(2));
      await mute(store().database, watch.id, 1, one, at(2));
    }
    await Promise.all([1, 2].map(() => store().watches.endWatch(watch.id, 'U0ANN', at(4))));
    expect((await trail()).map(({ change }) => change.action)).toEqual([
      'watch-ended',
      'incident-muted',
      'watch-muted',
      'acknowledged',
    ]);
  });
});
