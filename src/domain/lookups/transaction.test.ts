import { describe, expect, test } from 'vitest';
import { judge } from '../failures/judge.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at, aWorkflow } from '../service/event.testing.ts';
import { addToTally, emptyTally, listedEvent } from './transaction.ts';

const failedWith = (provider: string, ...errors: string[]) => {
  const details = errors.map((detail, n) => aDetail({ id: `d${n}`, detail, provider }));
  return aJob({ id: `${provider} job`, status: 'failed', provider, details });
};

const tallyOf = (events: ReturnType<typeof anEvent>[]) =>
  events.reduce((tally, event) => addToTally(tally, event, judge(event, at(60))), emptyTally('txn_1'));

describe('the tally of a transaction', () => {
  test('has events by verdict, causes by channel and provider, and topics', () => {
    const tally = tallyOf([aFailedEvent(), aFailedEvent(), anEvent({ topicKeys: ['launch'] })]);
    expect(tally).toMatchObject({ events: 3, counts: { failed: 2, delivered: 1 }, topicKeys: ['launch'] });
    expect([...tally.causes.values()]).toMatchObject([{ channel: 'email', provider: 'sendgrid', failures: 2 }]);
  });

  test('lists the most severe first, each kind in the order of arrival', () => {
    const events = [anEvent({ id: 'a' }), aFailedEvent({ id: 'b' }), anEvent({ id: 'c' }), aFailedEvent({ id: 'd' })];
    expect(tallyOf(events).listed.map(({ eventId }) => eventId)).toEqual(['b', 'd', 'a', 'c']);
  });

  test('keeps fifty of ten thousand events, including the failed ones', () => {
    const delivered = Array.from({ length: 3000 }, (_, i) => anEvent({ id: `fine-${i}` }));
    const { listed, events } = tallyOf([...delivered, aFailedEvent({ id: 'the one' })]);
    expect(events).toBe(3001);
    expect(listed).toHaveLength(50);
    expect(listed[0]?.eventId).toBe('the one');
  });

  test('counts the outcomes of each channel, but not of steps that send nothing', () => {
    const jobs = [aJob({ id: 'a' }), aJob({ id: 'b', type: 'sms' }), aJob({ id: 'c', type: 'digest' })];
    const { channels } = tallyOf([anEvent({ jobs }), aFailedEvent(), aFailedEvent()]);
    expect(Object.fromEntries(channels)).toEqual({ email: { delivered: 1, failed: 2 }, sms: { delivered: 1 } });
  });

  test('distinguishes causes by channel, provider and text', () => {
    const sms = { ...failedWith('twilio', 'Mailbox full'), type: 'sms' };
    const jobs = [failedWith('sendgrid', 'Mailbox full', 'Blocked'), failedWith('ses', 'Mailbox full'), sms];
    const { causes } = tallyOf([anEvent({ jobs }), anEvent({ jobs: jobs.slice(0, 1) })]);
    expect([...causes.values()].map(({ channel, provider, failures }) => [channel, provider, failures])).toEqual([
      ['email', 'sendgrid', 2],
      ['email', 'sendgrid', 2],
      ['email', 'ses', 1],
      ['sms', 'twilio', 1],
    ]);
  });

  test('names each workflow and topic once, and five of each at most', () => {
    const name = (n: number) => `name ${'abcdefgh'.charAt(n)}`;
    const workflow = (n: number) => aWorkflow({ identifier: 'order', name: name(n) });
    const events = [0, 0, 1, 2, 3, 4, 5, 1].map((n) => anEvent({ workflow: workflow(n), topicKeys: [name(n)] }));
    const five = [0, 1, 2, 3, 4].map(name);
    expect(tallyOf(events)).toMatchObject({ workflowNames: five, topicKeys: five });
    expect(tallyOf([anEvent({ workflow: null })])).toMatchObject({ workflowNames: [], topicKeys: [] });
  });

  test('has twelve channels and fifty causes at most, and goes on counting those', () => {
    const types = Array.from({ length: 14 }, (_, n) => `channel-${n}`);
    const sent = anEvent({ jobs: types.map((type) => aJob({ id: type, type })) });
    const { channels } = tallyOf([sent, sent]);
    expect([...channels]).toEqual(types.slice(0, 12).map((type) => [type, { delivered: 2 }]));

    const providers = Array.from({ length: 52 }, (_, n) => `provider-${n}`);
    const failed = anEvent({ jobs: providers.map((provider) => failedWith(provider, 'Mailbox full')) });
    const causes = [...tallyOf([failed, failed]).causes.values()];
    expect(causes.map(({ provider, failures }) => [provider, failures])).toEqual(
      providers.slice(0, 50).map((provider) => [provider, 2]),
    );
  });
});

describe('an event in one line', () => {
  const line = (event: ReturnType<typeof anEvent>) => listedEvent(event, judge(event, at(60)));

  test('has the cause of its outcome, not that of a lesser one', () => {
    const warned = aJob({ id: 'w', type: 'sms', details: [aDetail({ status: 'Warning', detail: 'Number is old' })] });
    const event = anEvent({ jobs: [warned, failedWith('sendgrid', 'Mailbox full')] });
    expect(line(event)).toEqual({
      eventId: event.id,
      transactionId: 'txn_0001',
      subscriberId: 'user-1',
      outcome: 'partly-failed',
      createdAt: event.createdAt,
      cause: { channel: 'email', provider: 'sendgrid', text: 'Mailbox full' },
    });
  });

  test('has neither a cause nor a subscriber if there is none', () => {
    expect(line(anEvent({ subscriber: null }))).toMatchObject({
      outcome: 'delivered',
      subscriberId: null,
      cause: null,
    });
  });
});
