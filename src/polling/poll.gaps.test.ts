import { describe, expect, test } from 'vitest';
import { createTraffic } from '../judging/traffic.ts';
import { at } from '../service/event.testing.ts';
import { ServiceError } from '../service/service-error.ts';
import { ModelService } from './model-service.testing.ts';
import { failsAt, minutes, PolledEnvironment, sentAt } from './polling.testing.ts';

const polled = new PolledEnvironment();

describe('a poll', () => {
  test('begins with the present after a downtime, and leaves what is before it as a gap', async () => {
    polled.service.aheadMs = 0;
    await polled.poll(0);
    polled.service.events.push(failsAt(minutes(10)), failsAt(minutes(100)), failsAt(minutes(178)));
    expect(await polled.poll(minutes(180))).toMatchObject({ newFailures: 1, hasGap: true });
    expect(polled.service.queries).toHaveLength(3);
    expect(await polled.gaps()).toMatchObject([
      { beginsAt: at(0), endsAt: at(minutes(180)), cause: 'not-running', closedAt: null },
    ]);
    expect(await polled.past(minutes(181))).toMatchObject({ newFailures: 2 });
    expect(await polled.gaps()).toMatchObject([{ closedAt: at(minutes(181)), events: 3, failures: 3, toRead: [] }]);
  });

  test('leaves one gap, and says so once, if another process reads the same downtime', async () => {
    await polled.poll(0);
    const reports = await Promise.all([polled.poll(minutes(180)), polled.poll(minutes(180))]);
    expect(reports.filter(({ hasGap }) => hasGap)).toHaveLength(1);
    expect(await polled.gaps()).toHaveLength(1);
  });

  test('leaves a gap after half an hour too, unless it is the first that it reads', async () => {
    polled.service.problem = { kind: 'unreachable' };
    await expect(polled.poll(0)).rejects.toThrow(ServiceError);
    polled.service.problem = null;
    polled.service.events.push(failsAt(-minutes(50)), failsAt(minutes(5)));
    expect(await polled.poll(minutes(14))).toMatchObject({ newFailures: 2, hasGap: false });
    expect(await polled.poll(minutes(44))).toMatchObject({ hasGap: true });
  });

  test('leaves no gap after a quarter of an hour and some seconds', async () => {
    await polled.poll(5);
    expect(await polled.poll(minutes(15) + 10)).toMatchObject({ hasGap: false });
    expect(await polled.gaps()).toEqual([]);
  });

  test('takes what a gap holds for no sample of the present', async () => {
    const traffic = createTraffic();
    await polled.poll(0, { traffic });
    polled.service.events.push(sentAt(minutes(10)), sentAt(minutes(58)));
    await polled.poll(minutes(60), { traffic });
    await polled.past(minutes(61), { traffic });
    expect(await polled.found()).toMatchObject({ eventsChecked: 2 });
    expect(traffic.sample(polled.name)).toHaveLength(1);
  });

  test('opens a gap for a service that two polls could not read, and closes it when it has read everything', async () => {
    await polled.poll(0);
    polled.service.problem = { kind: 'unreachable' };
    for (const second of [20, 45]) await expect(polled.poll(second)).rejects.toThrow(ServiceError);
    expect(await polled.gaps()).toEqual([]);
    for (const second of [80, 110]) await expect(polled.poll(second)).rejects.toThrow(ServiceError);
    expect(await polled.gaps()).toMatchObject([{ beginsAt: at(0), endsAt: null, cause: 'unreachable' }]);
    polled.service.problem = null;
    polled.service.events.push(failsAt(minutes(3)));
    expect(await polled.poll(minutes(7))).toMatchObject({ newFailures: 1 });
    const caughtUp = { events: 1, failures: 1 };
    expect(await polled.gaps()).toMatchObject([{ endsAt: at(minutes(7)), closedAt: at(minutes(7)), ...caughtUp }]);
    expect(await polled.known()).toMatchObject({ failingSince: null, problem: null });
  });

  test('takes a service that is away again within a quarter of an hour for the same gap', async () => {
    await polled.poll(0);
    for (let minute = 0; minute < 60; minute += 5) {
      polled.service.problem = { kind: 'unreachable' };
      for (const second of [20, 80, 120])
        await expect(polled.poll(minutes(minute) + second)).rejects.toThrow(ServiceError);
      polled.service.problem = null;
      for (const second of [140, 200]) await polled.poll(minutes(minute) + second);
    }
    expect(await polled.gaps()).toMatchObject([{ beginsAt: at(0), closedAt: at(minutes(57) + 20), toRead: [] }]);
    await polled.poll(minutes(80));
    polled.service.problem = { kind: 'unreachable' };
    for (const second of [10, 80]) await expect(polled.poll(minutes(80) + second)).rejects.toThrow(ServiceError);
    expect(await polled.gaps()).toHaveLength(2);
  });

  test('of a process that was frozen ends no gap and no trouble that began after it', async () => {
    await polled.poll(0);
    class Frozen extends ModelService {
      override async *eventPages(query: Parameters<ModelService['eventPages']>[0]) {
        polled.service.problem = { kind: 'unreachable' };
        for (const second of [300, 370]) await expect(polled.poll(second)).rejects.toThrow(ServiceError);
        yield* super.eventPages(query);
      }
    }
    const frozen = new Frozen(() => polled.now);
    await polled.poll(60, { serviceOf: () => frozen });
    expect(await polled.gaps()).toMatchObject([{ endsAt: null, closedAt: null }]);
    expect(await polled.known()).toMatchObject({ failingSince: at(300), problem: { kind: 'unreachable' } });
  });

  test('leaves unchecked what it could not read while the service was away, however long', async () => {
    await polled.poll(0);
    polled.service.problem = { kind: 'unreachable' };
    for (const minute of [1, 2, 20, 40]) await expect(polled.poll(minutes(minute))).rejects.toThrow(ServiceError);
    polled.service.problem = null;
    polled.service.events.push(failsAt(minutes(5)), failsAt(minutes(30)));
    await polled.past(minutes(40) + 30);
    expect(await polled.known()).toMatchObject({ checkedTo: at(0) });
    expect(await polled.poll(minutes(41))).toMatchObject({ hasGap: true, newFailures: 1 });
    const toRead = [{ from: at(0), to: at(minutes(26)) }];
    expect(await polled.gaps()).toMatchObject([
      { beginsAt: at(0), endsAt: at(minutes(41)), cause: 'unreachable', toRead },
    ]);
    await polled.past(minutes(42));
    expect(await polled.gaps()).toMatchObject([{ failures: 2, toRead: [] }]);
  });

  test('counts in the gap of a service that was away what the present and the past find of it', async () => {
    await polled.poll(0);
    polled.service.problem = { kind: 'unreachable' };
    for (const second of [20, 80]) await expect(polled.poll(second)).rejects.toThrow(ServiceError);
    polled.service.problem = null;
    polled.service.events.push(failsAt(minutes(5)), failsAt(minutes(25)), sentAt(minutes(26)));
    await polled.poll(minutes(30));
    expect(await polled.gaps()).toMatchObject([{ closedAt: null, events: 2, failures: 1 }]);
    await polled.past(minutes(31));
    expect(await polled.gaps()).toMatchObject([{ closedAt: at(minutes(31)), events: 3, failures: 2 }]);
  });
});
