import { describe, expect, test } from 'vitest';
import { anIntegration } from '../service/integration.testing.ts';
import { ALL_INTEGRATIONS, channelsOf, inactiveChannels, inOrder, isSending, takes } from './integrations-found.ts';

const email = anIntegration();
const sms = anIntegration({ channel: 'sms', provider: 'twilio', name: 'Twilio' });

describe('a filter of integrations', () => {
  test.each([
    [ALL_INTEGRATIONS, true, true],
    [{ channels: ['Email'], providers: [] }, true, false],
    [{ channels: [], providers: ['twilio', 'plivo'] }, false, true],
    [{ channels: ['email'], providers: ['sendgrid'] }, true, false],
    [{ channels: ['email'], providers: ['twilio'] }, false, false],
  ])('takes those of its channels and providers: %j', (filter, takesEmail, takesSms) => {
    expect([takes(filter, email), takes(filter, sms)]).toEqual([takesEmail, takesSms]);
  });
});

describe('a list of integrations', () => {
  const named = (name: string, change: Parameters<typeof anIntegration>[0]) => anIntegration({ name, ...change });

  test('has the channels in the order of the contract, and others after them by name', () => {
    const channels = ['webhook', 'push', 'fax', 'sms', 'in_app', 'chat', 'email'];
    const listed = inOrder(channels.map((channel) => anIntegration({ channel })));
    expect(listed.map(({ channel }) => channel)).toEqual([
      ...['in_app', 'email', 'sms', 'chat', 'push'],
      ...['fax', 'webhook'],
    ]);
  });

  test('has in a channel the active ones first, the primary one before the others, and deleted ones last', () => {
    const inEmail = [
      named('deleted', { deleted: true }),
      named('inactive', { active: false, primary: false }),
      named('b', { primary: false }),
      named('a', { primary: false, identifier: 'z' }),
      named('primary but inactive', { active: false }),
      named('primary', {}),
      named('a', { primary: false, identifier: 'y' }),
      named('deleted and inactive', { active: false, deleted: true }),
    ];
    const [first, ...others] = inOrder([sms, ...inEmail]);
    expect(first?.name).toBe('primary');
    expect(others.map(({ name, identifier }) => (name === 'a' ? `a ${identifier}` : name))).toEqual([
      ...['a y', 'a z', 'b', 'primary but inactive', 'inactive', 'deleted', 'deleted and inactive', 'Twilio'],
    ]);
  });

  test('names each channel once, and those in which nothing sends', () => {
    const deleted = anIntegration({ channel: 'push', deleted: true });
    const inactive = anIntegration({ channel: 'sms', active: false });
    expect(channelsOf([email, sms, inactive, deleted])).toEqual(['email', 'sms', 'push']);
    expect(inactiveChannels([email, sms, inactive, deleted])).toEqual(['push']);
    expect(inactiveChannels([email, inactive, deleted])).toEqual(['sms', 'push']);
  });

  test.each([
    [true, false, true],
    [true, true, false],
    [false, false, false],
    [false, true, false],
  ])('one that is active (%j) and deleted (%j) sends: %j', (active, deleted, sends) => {
    expect(isSending({ active, deleted })).toBe(sends);
  });
});
