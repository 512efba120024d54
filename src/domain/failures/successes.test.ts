import { expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { judge } from './judge.ts';
import { successesOf } from './successes.ts';

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
