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

const UNREADABLE = { key: 'odd', createdAt: null, reason: 'no channel' };

function results(
  events: ReturnType<typeof sending>,
  items: ReturnType<typeof integration>[],
  unreadable = 0,
): string[] {
  const listed = { items, unreadable: Array.from({ length: unreadable }, () => UNREADABLE) };
  return judgeIntegrations('Integrations', events, listed).map(({ verdict, what, about }) =>
    [verdict, what, ...about.map(({ id }) => id)].join(' '),
  );
}

function troubles(...given: Parameters<typeof results>): string[] {
  return results(...given).filter((line) => !line.startsWith('fine'));
}

test('finds nothing if each channel in use has an active integration', () => {
  expect(troubles(sending('trigger', 'digest', 'email'), [integration({})])).toEqual([]);
  expect(troubles([], [])).toEqual([]);
});

test('finds a channel in use without an integration', () => {
  const nothing = "problem Workflows send SMS, but there's no integration for it.";
  expect(troubles(sending('sms'), [integration({})])).toEqual([nothing]);
  expect(troubles(sending('sms'), [integration({ channel: 'sms', deleted: true })])).toEqual([nothing]);
});

test('finds a channel in use with only inactive integrations, and names them', () => {
  const both = [integration({ channel: 'sms', name: 'Twilio', active: false })];
  expect(troubles(sending('sms'), both)).toEqual([
    'problem Workflows send SMS, but no integration for it is active: Twilio',
  ]);
  expect(troubles(sending('sms'), [...both, integration({ channel: 'sms' })])).toEqual([]);
});

test('goes by the channels of events that are listed without their steps', () => {
  const lean = [anEvent({ serviceEnvironmentId: HERE, jobs: [], listsSteps: false, channels: ['sms'] })];
  expect(troubles(lean, [integration({})])).toEqual(["problem Workflows send SMS, but there's no integration for it."]);
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

test('makes no claim about channels if no event shows which are in use', () => {
  const nothing = 'so nothing shows which channels are in use.';
  expect(results([], [])).toEqual([`fine There are no events, ${nothing}`]);
  const without = anEvent({ serviceEnvironmentId: HERE, jobs: [], listsSteps: false, channels: [] });
  expect(results([without], [])).toEqual([`fine The newest events don't list their steps, ${nothing}`]);
  expect(results(sending('trigger'), [])).toEqual(["fine The newest events don't use any channel."]);
  expect(results([without, ...sending('trigger')], [])).toEqual(["fine The newest events don't use any channel."]);
});

test("doesn't miss an integration that couldn't be read", () => {
  const unknown =
    "unknown Workflows send push notifications: it is unknown whether an integration for them is active, since 1 integration couldn't be read.";
  expect(results(sending('push'), [], 1)).toEqual([unknown]);
  expect(results(sending('push'), [integration({ channel: 'push', active: false })], 1)).toEqual([unknown]);
  expect(troubles(sending('push'), [integration({ channel: 'push' })], 1)).toEqual([]);
});

test("doesn't guess which integrations are the environment's if no event says", () => {
  const events = [anEvent({ serviceEnvironmentId: null, jobs: [aJob({ type: 'sms' })] })];
  const [here, there] = ['env-1', 'env-2'].map((id) => integration({ channel: 'sms', serviceEnvironmentId: id }));
  const both = [here, there].flatMap((one) => (one === undefined ? [] : [one]));
  expect(troubles(events, both)).toEqual([
    "unknown The newest events don't say which integrations are this environment's.",
  ]);
  expect(troubles(events, both.slice(1))).toEqual([]);
  expect(troubles(events, [])).toEqual(["problem Workflows send SMS, but there's no integration for it."]);
});

test('names each channel in use once, in the words of the field', () => {
  const channels = ['in_app', 'email', 'sms', 'chat', 'push'];
  const all = channels.map((channel) => integration({ channel }));
  const named = 'in-app messages, email, SMS, chat messages, push notifications';
  expect(results(sending(...channels, 'email'), all)).toEqual([
    `fine Each channel in use has an active integration: ${named}.`,
  ]);
  expect(troubles(sending(...channels), [integration({})])).toEqual([
    "problem Workflows send in-app messages, but there's no integration for them.",
    "problem Workflows send SMS, but there's no integration for it.",
    "problem Workflows send chat messages, but there's no integration for them.",
    "problem Workflows send push notifications, but there's no integration for them.",
  ]);
});

test('says of each trouble what to do', () => {
  const next = (...[events, items, unreadable = 0]: Parameters<typeof results>) => {
    const listed = { items, unreadable: Array.from({ length: unreadable }, () => UNREADABLE) };
    return judgeIntegrations('Integrations', events, listed).map((result) => result.next);
  };
  expect(next(sending('sms'), [])).toEqual(["Add one in the service's dashboard."]);
  expect(next(sending('sms'), [integration({ channel: 'sms', active: false })])).toEqual([
    "Activate one in the service's dashboard.",
  ]);
  expect(next(sending('sms'), [], 2)).toEqual([
    "The log says which fields are not as the contract has them: contact the service's owners.",
  ]);
  expect(next(sending('email'), [integration({ inboundWebhook: false })])).toEqual([
    "Turn its inbound webhook on in the service's dashboard, and enter the address at the provider.",
  ]);
  const nowhere = [anEvent({ serviceEnvironmentId: null, jobs: [aJob({ type: 'sms' })] })];
  const two = ['env-1', 'env-2'].map((id) => integration({ serviceEnvironmentId: id }));
  expect(next(nowhere, two)).toEqual(['/notif integrations lists them all.']);
});

test('expects no bounces of an integration that sends nothing', () => {
  const silent = integration({ inboundWebhook: false, active: false, name: 'Mailgun' });
  expect(troubles(sending('email'), [integration({}), silent])).toEqual([]);
});
