import { beforeEach, expect, test } from 'vitest';
import { act } from '../incidents/actions.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { at, failureOf, NOON, recordFailures } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { setChannelEnvironment } from '../watches/channel-settings.ts';
import { mute, unmuteIn } from '../watches/mutes.ts';
import { UNFILTERED, type Watch } from '../watches/settings.ts';
import { madeWatch, watchCtx } from '../watches/watches.testing.ts';
import { changeWatch, endWatch } from '../watches/watches.ts';
import { auditEntries } from './audit.ts';

const TARGET = { messageId: null, incidentId: 1, channel: 'C1' };

describeStore("people's changes to watches and incidents", (store) => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await madeWatch(store().db, { channel: 'C1', createdBy: 'U0ANN', settings: UNFILTERED }, at(-1));
  });

  const ctx = (minute: number) => watchCtx(store().db, at(minute));
  const unmuted = (incidentId: number | null, by: string) => unmuteIn(ctx(2), { watches: [watch], incidentId }, by);

  async function trail() {
    const { entries } = await auditEntries(store().db, { since: NOON, environments: [], olderThan: null, limit: 10 });
    for (const entry of entries) expect(entry).toMatchObject({ outcome: { is: 'done' }, intentId: null });
    return entries.map(({ actor, channel, environment, change }) => ({ actor, channel, environment, change }));
  }

  test('are in the audit trail: making, changing and ending a watch', async () => {
    const settings = { ...UNFILTERED, everyMs: 60_000 };
    await madeWatch(store().db, { channel: 'C2', createdBy: 'U0BEN', settings }, NOON);
    const changed = { ...UNFILTERED, timeZone: 'Europe/Berlin' };
    await changeWatch(ctx(1), watch.id, { settings: changed, by: 'U0BEN' });
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
    await mute(ctx(1), watch.id, 1, { by: 'U0ANN', until });
    await unmuted(1, 'U0BEN');
    await act(ctx(3), TARGET, { what: 'acknowledged' }, 'U0ANN');
    await act(ctx(4), TARGET, { what: 'unacknowledged' }, 'U0BEN');
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
    await mute(ctx(1), watch.id, null, { by: 'U0ANN', until: at(60) });
    await unmuted(null, 'U0ANN');
    const staging = anEnvironment({ name: 'staging' });
    await setChannelEnvironment(ctx(3), 'C1', staging, 'U0BEN');
    expect((await trail()).map(({ change }) => change)).toEqual([
      { action: 'channel-environment', to: 'staging' },
      { action: 'watch-unmuted', watch: 'env:all tz:UTC' },
      { action: 'watch-muted', watch: 'env:all tz:UTC', until: at(60) },
    ]);
  });

  test('are not in the trail if nothing was changed', async () => {
    await recordFailures(store(), NOON, [failureOf('a')]);
    await Promise.all(['U0ANN', 'U0BEN'].map((by) => act(ctx(1), TARGET, { what: 'acknowledged' }, by)));
    await unmuted(1, 'U0BEN');
    await changeWatch(ctx(1), watch.id, { settings: UNFILTERED, by: 'U0BEN' });
    const mutes = [at(60), new Date(at(60).getTime() + 2_000)].map((until) => ({ by: 'U0ANN', until }));
    for (const same of mutes) {
      await mute(ctx(2), watch.id, null, same);
      await mute(ctx(2), watch.id, 1, same);
    }
    await Promise.all([1, 2].map(() => endWatch(ctx(4), watch.id, 'U0ANN')));
    expect((await trail()).map(({ change }) => change.action)).toEqual([
      'watch-ended',
      'incident-muted',
      'watch-muted',
      'acknowledged',
    ]);
  });
});
