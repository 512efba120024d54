import { expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, anEvent, at, aWorkflow } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { judge } from './judge.ts';
import { deliveriesOf, successesOf } from './successes.ts';

const successesIn = (...events: TriggeredEvent[]) =>
  successesOf(events.map((event) => ({ event, judgement: judge(event, at(60)) })));

const sentAt = (seconds: number) => anEvent({ jobs: [aJob({ updatedAt: at(seconds) })] });

test('returns the first and last successful delivery of a workflow, channel and provider', () => {
  const sms = anEvent({ jobs: [aJob({ type: 'sms', provider: 'twilio', updatedAt: at(4) })] });
  expect(successesIn(sentAt(3), sentAt(9), sentAt(1), sms)).toEqual([
    { workflow: 'order-shipped', channel: 'email', provider: 'sendgrid', from: at(1), to: at(9) },
    { workflow: 'order-shipped', channel: 'sms', provider: 'twilio', from: at(4), to: at(4) },
  ]);
});

test('counts a delivery that succeeded on the second attempt', () => {
  const details = [aDetail({ isRetry: true })];
  expect(successesIn(anEvent({ jobs: [aJob({ details })] }))).toHaveLength(1);
});

test('counts nothing else: what failed, is pending, was merged, or delivers nothing', () => {
  const jobs = [
    aJob({ status: 'queued' }),
    aJob({ status: 'merged' }),
    aJob({ type: 'delay' }),
    aJob({ status: 'skipped' }),
  ];
  expect(successesIn(aFailedEvent(), ...jobs.map((job) => anEvent({ jobs: [job] })))).toEqual([]);
});

test('has deliveries of other workflows, and of deleted ones, apart', () => {
  const workflow = aWorkflow({ identifier: 'invoice', name: 'Invoice' });
  const events = [sentAt(1), { ...sentAt(2), workflow }, { ...sentAt(3), workflow: null }];
  expect(successesIn(...events).map((success) => success.workflow)).toEqual(['order-shipped', 'invoice', null]);
});

test.each([
  ["the step's", at(3), at(2), at(1), at(3)],
  ["the event's last one", null, at(2), at(1), at(2)],
  ["the event's first one", null, null, at(1), at(1)],
])('has a delivery at the best known time: %s', (_, job, updatedAt, createdAt, expected) => {
  const event = anEvent({ updatedAt, createdAt, jobs: [aJob({ updatedAt: job })] });
  expect(deliveriesOf(event, judge(event, at(60)))).toEqual([{ channel: 'email', provider: 'sendgrid', at: expected }]);
});

test('has no delivery whose time is unknown', () => {
  const event = anEvent({ updatedAt: null, createdAt: null, jobs: [aJob({ updatedAt: null })] });
  expect(successesIn(event)).toEqual([]);
});
