import { expect, test } from 'vitest';
import { environmentHealth } from '../health/environment-health.ts';
import { aDetail, aJob, anEvent, at, aWait } from '../service/event.testing.ts';
import { HOUR, minutes, PolledEnvironment } from './polling.testing.ts';

const polled = new PolledEnvironment();
const hours = (count: number) => count * 3_600;

/** A reminder by SMS after this many hours, which fails a minute later. */
function reminder(after: number) {
  const wait = aWait({ ms: after * HOUR });
  const delayed = aJob({ id: 'delay', type: 'delay', status: 'delayed', provider: null, wait, updatedAt: at(0) });
  const sms = { id: 'sms', type: 'sms', provider: 'twilio' };
  const before = anEvent({ id: 'reminder', createdAt: at(0), jobs: [delayed, aJob({ ...sms, status: 'pending' })] });
  const failed = aJob({ ...sms, status: 'failed', updatedAt: at(hours(after) + 60), details: [aDetail()] });
  const over = { ...before, jobs: [{ ...delayed, status: 'completed' }, failed] };
  const seenAt = (now: Date) => (now < at(hours(after) + 60) ? before : over);
  polled.service.events.push({ at: at(0), listedAt: at(0), seenAt });
}

test('a step that waits beyond the horizon is read when it is due', async () => {
  const after = 80;
  await polled.poll(-60);
  reminder(after);
  await polled.both(1);
  const health = async () =>
    (await environmentHealth(polled.db, polled.now)).find((row) => row.environment === polled.name);
  expect(await health()).toMatchObject({ waiting: 1, nextWaitEndsAt: at(hours(after)) });
  await polled.poll(hours(after) - 60);
  polled.service.retrieved.length = 0;
  expect(await polled.past(hours(after) - 30)).toMatchObject({ newFailures: 0 });
  expect(polled.service.retrieved).toEqual([]);
  expect(await polled.past(hours(after) + minutes(2))).toMatchObject({ newFailures: 1 });
  expect(await health()).toMatchObject({ waiting: 0, nextWaitEndsAt: null });
});

test('a step that waits beyond the horizon is noted once where the list shows its event twice', async () => {
  polled.service.order = (events) => [...events, ...events];
  await polled.poll(-60);
  reminder(80);
  await polled.both(1);
  expect((await environmentHealth(polled.db, polled.now)).find((row) => row.environment === polled.name)).toMatchObject(
    { waiting: 1 },
  );
});

test('a wait within the horizon is left to the passes', async () => {
  await polled.poll(-60);
  reminder(70);
  await polled.both(1);
  expect((await environmentHealth(polled.db, polled.now)).find((row) => row.environment === polled.name)).toMatchObject(
    { waiting: 0 },
  );
});
