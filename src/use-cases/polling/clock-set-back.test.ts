import { expect, test } from 'vitest';
import { anEvent, at } from '../../domain/service/event.testing.ts';
import { keptStore } from '../../store/store.testing.ts';
import type { ModelEvent } from '../model-service.testing.ts';
import { readEnvironment } from './reading.testing.ts';

const store = keptStore();
const MINUTE = 60;

/** An in-app event, which no sweep finds, as the service dates it. */
function occurring(seconds: number, aheadMinutes: number): ModelEvent {
  const dated = new Date(at(seconds).getTime() + aheadMinutes * 60_000);
  const event = { ...anEvent({ id: `e${seconds}`, channels: ['in_app'] }), createdAt: dated };
  return { at: dated, listedAt: at(seconds), seenAt: () => event };
}

/** When the service's clock was set differently. */
const SET_AT = 2;

test.each([
  ['back, in each poll of a minute', 0, -5, MINUTE],
  ['right, after it was ahead, with polls five minutes apart', 5, 0, 5 * MINUTE],
  ['forward, with polls five minutes apart', -10, 10, 5 * MINUTE],
])('misses no event when the clock of the service is set %s', async (_, before, after, every) => {
  const { service, pollAndRecheck, found, clock } = readEnvironment(store());
  const aheadAt = (now: Date) => (now < at(SET_AT) ? before : after);
  let events = 0;
  for (let second = -50; second < 25 * MINUTE; second += 5) {
    service.events.push(occurring(second, aheadAt(at(second))));
    events += 1;
  }
  service.beforePage = () => {
    service.aheadMs = aheadAt(clock.now) * 60_000;
  };
  service.aheadMs = before * 60_000;
  for (let poll = 0; poll * every <= 30 * MINUTE; poll++) {
    await pollAndRecheck(at(poll * every));
  }
  expect((await found()).eventsChecked).toBe(events);
});
