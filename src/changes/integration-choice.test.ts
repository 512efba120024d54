import { expect, test } from 'vitest';
import { at } from '../service/event.testing.ts';
import { anIntegration } from '../service/lists.testing.ts';
import type { Integration } from '../service/lists.ts';
import { keptStore } from '../store/store.testing.ts';
import { whyNoChoice } from './integration-choice.ts';
import { noteIntegrations } from './integrations.ts';
import { stateOf } from './snapshots.ts';

const store = keptStore();

function note(environment: string, seconds: number, integrations: readonly Partial<Integration>[]) {
  const states = integrations.map((change) => stateOf(anIntegration({ channel: 'sms', ...change })));
  const snapshot = { serviceEnvironmentId: 'env', integrations: states, isWhole: true };
  const range = { from: at(seconds), to: at(seconds) };
  return store().db.transaction((tx) => noteIntegrations(tx, environment, snapshot, range));
}

const sms = (id: string, change: Partial<Integration> = {}) => ({
  id,
  identifier: id,
  name: `Name of ${id}`,
  ...change,
});

test('a choice that the service could not make is explained by what the environment has and had', async () => {
  const wanted = { channel: 'sms', named: null };
  expect(await whyNoChoice(store().db, 'choice', wanted)).toBeNull();
  await note('choice', 0, [sms('kannel-x'), sms('twilio-x', { primary: true })]);
  expect(await whyNoChoice(store().db, 'choice', wanted)).toBeNull();
  await note('choice', 60, [
    sms('twilio-x', { active: false }),
    sms('a', { primary: false }),
    sms('b', { primary: false }),
  ]);
  const why = (named: string | null, channel = 'sms') => whyNoChoice(store().db, 'choice', { channel, named });
  expect(await why(null)).toEqual({ is: 'none-primary', channel: 'sms', active: 2 });
  expect(await why('kannel-x')).toEqual({ is: 'gone', name: 'kannel-x', removedAt: at(60) });
  expect(await why('never')).toEqual({ is: 'gone', name: 'never', removedAt: null });
  expect(await why('twilio-x')).toEqual({ is: 'off', name: 'twilio-x' });
  expect(await why('a')).toBeNull();
  expect(await why(null, 'email')).toEqual({ is: 'none-active', channel: 'email', integrations: 0 });
});
