import { expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { deliveriesOf, judge } from './judge.ts';

const deliveriesIn = (event: TriggeredEvent) => deliveriesOf(event, judge(event, at(60)));

test('counts a delivery that succeeded on the second attempt', () => {
  const details = [aDetail({ isRetry: true })];
  expect(deliveriesIn(anEvent({ jobs: [aJob({ details })] }))).toHaveLength(1);
});

test('counts nothing else: what failed, is pending, was merged, or delivers nothing', () => {
  const jobs = [
    aJob({ status: 'queued' }),
    aJob({ status: 'merged' }),
    aJob({ type: 'delay' }),
    aJob({ status: 'skipped' }),
  ];
  const events = [aFailedEvent(), ...jobs.map((job) => anEvent({ jobs: [job] }))];
  expect(events.flatMap(deliveriesIn)).toEqual([]);
});

test.each([
  ["the step's", at(3), at(2), at(1), at(3)],
  ["the event's last one", null, at(2), at(1), at(2)],
  ["the event's first one", null, null, at(1), at(1)],
])('has a delivery at the best known time: %s', (_, job, updatedAt, createdAt, expected) => {
  const event = anEvent({ updatedAt, createdAt, jobs: [aJob({ updatedAt: job })] });
  expect(deliveriesIn(event)).toEqual([{ channel: 'email', provider: 'sendgrid', at: expected }]);
});

test('has no delivery whose time is unknown', () => {
  const event = anEvent({ updatedAt: null, createdAt: null, jobs: [aJob({ updatedAt: null })] });
  expect(deliveriesIn(event)).toEqual([]);
});
