import { expect, test } from 'vitest';
import type { ChangesContent } from '../../domain/alerting/delivery.ts';
import { stateOf } from '../../domain/changes/integration-readings.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from '../../domain/watches/watch.ts';
import { settingsKey } from '../../domain/watches/watch-settings.ts';
import { at, openedEnvironment } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const SENDGRID = stateOf(anIntegration());
const SHOWN = { ...UNFILTERED, hasChanges: true };

describeStore('messages about changes', (store) => {
  const watch = (channel: string, settings: WatchSettings = SHOWN, minute = 0) =>
    store().watches.makeWatch({ channel, createdBy: `U-${channel}-${settingsKey(settings)}`, settings }, at(minute));
  const deploy = (name: string, minute: number) =>
    store().changes.noteDeploy({ environment: 'production', name, by: null }, at(minute));
  const change = async (minute: number, changed: Partial<typeof SENDGRID>) => {
    const integrations = [{ ...SENDGRID, ...changed }];
    const read = { serviceEnvironmentId: 'env-1', integrations, isWhole: true };
    await store().changes.noteIntegrations('production', read, { from: at(minute), to: at(minute) });
  };
  const announce = async (minute: number, isDue = () => true) => {
    const ids = await store().alerting.announceChanges('production', isDue, at(minute));
    const contents = await Promise.all(ids.map((id) => store().deliveries.content(id, at(minute))));
    return contents
      .filter((one): one is ChangesContent => one.kind === 'changes')
      .map(({ channel, changes }) => ({ channel, names: changes.map(({ what }) => what.kind) }));
  };

  test('go once to each channel with a watch that shows changes, one message for everything new', async () => {
    await openedEnvironment(store());
    await watch('C1');
    await watch('C2', UNFILTERED);
    await deploy('v1', 2);
    await deploy('v2', 2);
    expect(await announce(3)).toEqual([{ channel: 'C1', names: ['deploy', 'deploy'] }]);
    expect(await announce(4)).toEqual([]);
  });

  test('omit changes from before the watch was asked to show them', async () => {
    await openedEnvironment(store());
    const { id, settings } = await watch('C1', UNFILTERED);
    await deploy('v1', 1);
    await store().watches.changeWatch(id, { settings: SHOWN, was: settingsKey(settings), by: 'U0ANN' }, at(3));
    await deploy('v2', 5);
    expect(await announce(6)).toHaveLength(1);
    await store().watches.changeWatch(id, { settings: UNFILTERED, was: settingsKey(SHOWN), by: 'U0ANN' }, at(7));
    await deploy('v3', 8);
    expect(await announce(9)).toEqual([]);
  });

  test('omit changes from before the watch covered the environment', async () => {
    await openedEnvironment(store());
    const elsewhere = { ...SHOWN, filter: { ...EVERYTHING, environments: ['staging'] } };
    const { id } = await watch('C1', elsewhere);
    await deploy('v1', 1);
    await store().watches.changeWatch(id, { settings: SHOWN, was: settingsKey(elsewhere), by: 'U0ANN' }, at(3));
    await deploy('v2', 5);
    expect(await announce(6)).toEqual([{ channel: 'C1', names: ['deploy'] }]);
  });

  test('are one in a channel with two such watches, with what either covers', async () => {
    await openedEnvironment(store());
    await watch('C1', { ...SHOWN, filter: { ...EVERYTHING, channels: ['sms'] } });
    await watch('C1', { ...SHOWN, filter: { ...EVERYTHING, providers: ['sendgrid'] } }, 1);
    await watch('C2', { ...SHOWN, filter: { ...EVERYTHING, channels: ['sms'] } });
    await change(2, {});
    await announce(2);
    await change(3, { active: false });
    expect(await announce(4)).toEqual([{ channel: 'C1', names: ['integration'] }]);
  });

  test('wait until they are due', async () => {
    await openedEnvironment(store());
    await watch('C1');
    await deploy('v1', 2);
    expect(await announce(3, () => false)).toEqual([]);
    await deploy('v2', 4);
    expect(await announce(5)).toEqual([{ channel: 'C1', names: ['deploy', 'deploy'] }]);
  });
});
