import { expect, test } from 'vitest';
import { openGap } from '../coverage/gaps.ts';
import { at } from '../service/event.testing.ts';
import type { Call } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import { failsAt, minutes, NEVER, PolledEnvironment, sentAt } from './polling.testing.ts';
import type { PolledService } from './reading.ts';

const polled = new PolledEnvironment();

test('A minute with more than forty pages is read to its end', async () => {
  await polled.poll(0);
  polled.service.mostAPage = 1;
  for (let second = 1; second <= 45; second += 1) polled.service.events.push(sentAt(second));
  expect(await polled.poll(60)).toMatchObject({ newEvents: 45 });
});

test('Every request gives way to people’s, and ends when Notif stops', async () => {
  const calls: Call[] = [];
  const heard = (call: Call) => {
    calls.push(call);
    return polled.service;
  };
  const service: PolledService = {
    listEvents: (query, call) => heard(call).listEvents(query),
    listMessages: (query, call) => heard(call).listMessages(query),
    clockAheadMs: () => null,
    retrieveEvent: (id, call) => heard(call).retrieveEvent(id),
    eventPages: (query, call) => heard(call).eventPages(query),
  };
  polled.service.events.push(failsAt(-20));
  polled.service.order = (events) => events.map((event) => ({ ...event, listsSteps: false, jobs: [] }));
  polled.service.poisoned = [at(-minutes(2))];
  expect(await polled.poll(0, { serviceOf: () => service })).toMatchObject({ newFailures: 1 });
  for (const call of calls) expect(call).toEqual({ who: 'poller', signal: NEVER });
});

test('What the plan doesn’t keep is given up without being asked for, and what it keeps is read', async () => {
  const planFrom = at(-minutes(31));
  polled.service.planFrom = planFrom;
  polled.service.events.push(...[-minutes(40), -minutes(31) + 5, -minutes(1)].map((second) => failsAt(second)));
  expect(await polled.poll(0)).toMatchObject({ newFailures: 2 });
  const givenUp = [{ from: at(-minutes(60)), to: at(-minutes(31) + 1) }];
  expect(await polled.gaps()).toMatchObject([{ cause: 'beyond-plan', toRead: [], givenUp, closedAt: at(0) }]);
  expect(polled.service.queries.filter(({ before }) => before <= planFrom)).toEqual([]);
});

test('Where no event can be shown, a poll fails after some thirty requests, and all of it is asked for later', async () => {
  await polled.poll(-minutes(60));
  polled.service.poisoned = Array.from({ length: 900 }, (_, second) => at(-second));
  polled.service.queries.length = 0;
  await expect(polled.poll(0)).rejects.toThrow(ServiceError);
  expect(await polled.known()).toMatchObject({ lastSuccessAt: at(-minutes(60)), failingSince: at(0) });
  expect(polled.service.queries.length).toBeLessThan(40);
  expect(await polled.gaps()).toMatchObject([{ toRead: [{ from: at(-minutes(60)), to: at(0) }], closedAt: null }]);
  polled.service.poisoned = [];
  polled.service.events.push(failsAt(-minutes(30)));
  expect(await polled.past(61)).toMatchObject({ newFailures: 1 });
  expect(await polled.gaps()).toMatchObject([{ closedAt: at(61) }]);
});

test('An event on whose page the connection breaks becomes a gap, and keeps nothing else from being read', async () => {
  polled.service.poison = { kind: 'unreachable', code: 'UND_ERR_SOCKET' };
  polled.service.poisoned = [at(-minutes(30))];
  polled.service.events.push(...[-40, -20].map((minute) => failsAt(minutes(minute))));
  expect(await polled.poll(0)).toMatchObject({ newFailures: 2 });
  expect(await polled.gaps()).toMatchObject([{ cause: 'unreachable', closedAt: null }]);
});

test('A pass leaves counted what lies in a gap, and what the service can’t show again', async () => {
  const [inGap, poisoned] = [-100, -400];
  polled.service.events.push(...[inGap, -70, poisoned, -370].map((second) => sentAt(second)));
  expect(await polled.poll(0)).toMatchObject({ newEvents: 4 });
  const range = { from: at(inGap - 5), to: at(inGap + 5) };
  const windows = [{ ...range, tries: 1, nextTryAt: at(minutes(60)) }];
  await openGap(polled.db, polled.name, { ...range, cause: 'timed-out', windows }, polled.now);
  polled.service.poisoned = [at(poisoned)];
  expect(await polled.past(60)).toMatchObject({ newEvents: 0 });
  expect(await polled.found()).toMatchObject({ eventsChecked: 4 });
});
