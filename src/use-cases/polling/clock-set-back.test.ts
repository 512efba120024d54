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
  ['back, in each poll of a minute', 0, -5, MINUTE, []],
  ['back, with polls five minutes apart', 0, -5, 5 * MINUTE, []],
  ['right, after it was ahead, with polls five minutes apart', 5, 0, 5 * MINUTE, []],
  ['right, after it was ahead, while polls fail', 5, 0, MINUTE, [1, 2, 3]],
  [
    'right, after it was ahead, during a long outage',
    5,
    0,
    MINUTE,
    Array.from({ length: 17 }, (_, index) => index + 1),
  ],
  ['forward, with polls five minutes apart', -10, 10, 5 * MINUTE, []],
  ['back by twice the tolerance, with polls five minutes apart', 10, -10, 5 * MINUTE, []],
])('misses no event when the clock of the service is set %s', async (_, before, after, every, failing) => {
  const { service, pollAndRecheck, found, clock } = readEnvironment(store());
  const aheadAt = (now: Date) => (now < at(SET_AT) ? before : after);
  let events = 0;
  for (let second = -50; second < 25 * MINUTE; second += 5) {
    service.events.push(occurring(second, aheadAt(at(second))));
    events += 1;
  }
  service.beforePage = () => {
    if (service.problem === null) service.aheadMs = aheadAt(clock.now) * 60_000;
  };
  service.aheadMs = before * 60_000;
  for (let poll = 0; poll * every <= 30 * MINUTE; poll++) {
    service.problem = (failing as readonly number[]).includes(poll) ? { kind: 'unreachable' } : null;
    const polled = pollAndRecheck(at(poll * every));
    await (service.problem === null ? polled : expect(polled).rejects.toThrow());
  }
  expect((await found()).eventsChecked).toBe(events);
});
