import { expect, test } from 'vitest';
import { aJob, anEvent } from '../service/event.testing.ts';
import { anIntegration } from '../service/integration.testing.ts';
import { judgeIntegrations } from './judge-integrations.ts';

const HERE = 'env-1';
const sending = (...types: string[]) => [
  anEvent({ serviceEnvironmentId: HERE, jobs: types.map((type) => aJob({ type })) }),
];
const integration = (change: Parameters<typeof anIntegration>[0]) =>
  anIntegration({ serviceEnvironmentId: HERE, ...change });

function troubles(events: ReturnType<typeof sending>, integrations: ReturnType<typeof integration>[]): string[] {
  return judgeIntegrations('Integrations', events, integrations)
    .filter(({ verdict }) => verdict !== 'fine')
    .map(({ verdict, what, about }) => [verdict, what, ...about.map(({ id }) => id)].join(' '));
}

test('finds nothing if each channel in use has an active integration', () => {
  expect(troubles(sending('trigger', 'digest', 'email'), [integration({})])).toEqual([]);
  expect(troubles([], [])).toEqual([]);
});

test('finds a channel in use without an integration', () => {
  const nothing = 'problem Events send by sms, and there is none for it.';
  expect(troubles(sending('sms'), [integration({})])).toEqual([nothing]);
  expect(troubles(sending('sms'), [integration({ channel: 'sms', deleted: true })])).toEqual([nothing]);
});

test('finds a channel in use with only inactive integrations, and names them', () => {
  const both = [integration({ channel: 'sms', name: 'Twilio', active: false })];
  expect(troubles(sending('sms'), both)).toEqual(['problem Events send by sms, and none for it is active: Twilio']);
  expect(troubles(sending('sms'), [...both, integration({ channel: 'sms' })])).toEqual([]);
});

test('does not count the integrations of another environment', () => {
  const elsewhere = anIntegration({ channel: 'sms', serviceEnvironmentId: 'env-2' });
  expect(troubles(sending('sms'), [elsewhere])).toHaveLength(1);
});

test('finds emails whose bounces are never reported, if the service says so', () => {
  const told = 'advice Bounces are never reported for email sent with SendGrid';
  expect(troubles(sending('email'), [integration({ inboundWebhook: false })])).toEqual([told]);
  expect(troubles(sending('email'), [integration({ inboundWebhook: null })])).toEqual([]);
  expect(troubles(sending('sms'), [integration({ channel: 'sms', inboundWebhook: false })])).toEqual([]);
});
