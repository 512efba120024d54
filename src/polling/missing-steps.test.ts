import { describe, expect, test } from 'vitest';
import { aFailedEvent, at } from '../service/event.testing.ts';
import { settled } from './model-service.testing.ts';
import { failsAt, minutes, PolledEnvironment, sentAt } from './polling.testing.ts';

const polled = new PolledEnvironment();

function leaveOutSteps(): void {
  polled.service.order = (events) => events.map((event) => ({ ...event, listsSteps: false, jobs: [] }));
}

describe('where the list leaves out the steps', () => {
  test('as many events as the rate allows are asked for, and others each time', async () => {
    for (let n = 1; n <= 400; n++) polled.service.events.push(failsAt(-n / 8));
    leaveOutSteps();
    expect(await polled.poll(0)).toMatchObject({ newEvents: 400, newFailures: 180, newUnreadable: 220 });
    for (const minute of [1, 2, 4]) await polled.both(minute);
    expect(await polled.found()).toMatchObject({ failedEvents: 400, eventsChecked: 400 });
  });

  test('a pass that asks for none leaves what was checked as it is', async () => {
    polled.service.events.push(failsAt(-20));
    leaveOutSteps();
    await polled.poll(0);
    for (let minute = 1; minute <= 20; minute += 1) await polled.both(minute);
    // By the poll, and by the passes at 1, 2, 4, 7, 10, 13 and 19 minutes.
    expect(polled.service.retrieved).toHaveLength(8);
    expect(await polled.found()).toMatchObject({ failedEvents: 1, eventsChecked: 1 });
  });

  test('of some events, a pass that asks for none counts only minutes without them', async () => {
    const early = [sentAt(20), sentAt(40)];
    const late = [30, 90].map((second) => ({ ...failsAt(second), listedAt: at(second + minutes(14)) }));
    polled.service.events.push(...early, ...late);
    polled.service.order = (events) =>
      events.map((event) => (event.id?.startsWith('sent') ? { ...event, listsSteps: false, jobs: [] } : event));
    for (let minute = 0; minute <= 18; minute += 1) await polled.both(minute);
    expect(await polled.found()).toMatchObject({ failedEvents: 2, eventsChecked: 3 });
    await polled.both(21);
    expect(await polled.found()).toMatchObject({ failedEvents: 2, eventsChecked: 4 });
  });

  test('events are asked for by their IDs, and one that is gone by then is unreadable', async () => {
    const whole = { ...aFailedEvent({ id: 'without-steps' }), createdAt: at(-20) };
    polled.service.events.push(settled(whole));
    leaveOutSteps();
    expect(await polled.poll(0)).toMatchObject({ newFailures: 1, newUnreadable: 0 });
    expect(polled.service.retrieved).toEqual(['without-steps']);
    polled.service.events.push(failsAt(30, 'gone'));
    polled.service.retrieveEvent = async () => null;
    expect(await polled.poll(60)).toMatchObject({ newFailures: 0, newUnreadable: 1 });
  });
});
