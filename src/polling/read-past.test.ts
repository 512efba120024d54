import { addMilliseconds } from 'date-fns';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../lib/errors.ts';
import { at } from '../service/event.testing.ts';
import { failsAt, HOUR, MINUTE, minutes, NEVER, PolledEnvironment } from './polling.testing.ts';
import { readPast } from './read-past.ts';

const polled = new PolledEnvironment();

describe('the past', () => {
  test('isn’t read before the present was', async () => {
    expect(await polled.past(0)).toBeNull();
    polled.service.problem = { kind: 'unreachable' };
    await expect(polled.poll(1)).rejects.toThrow(ServiceError);
    expect(await polled.past(2)).toBeNull();
  });

  test('shows an event that the list had too late for every poll', async () => {
    await polled.poll(0);
    await polled.past(1);
    const late = failsAt(30);
    polled.service.events.push({ ...late, listedAt: at(minutes(3)) });
    await polled.poll(minutes(2));
    await polled.past(minutes(5));
    expect(await polled.found()).toMatchObject({ failedEvents: 1, eventsChecked: 1 });
  });

  test('is read again at a new age, too, once the horizon is later', async () => {
    await polled.poll(0);
    for (const [minute, hours] of [[5, 1] as const, [6, 2] as const])
      await polled.past(minutes(minute), { horizonMs: hours * HOUR });
    expect((await polled.known())?.readTo.get(120)).toEqual(at(-minutes(60)));
  });

  test('is read no longer than there is time: half of it for gaps, the rest for passes', async () => {
    await polled.poll(0);
    await polled.poll(minutes(180));
    polled.service.queries.length = 0;
    await readPast(polled.ctx(), polled.name, polled.now, NEVER);
    expect(polled.service.queries).toEqual([]);
    polled.service.beforePage = () => {
      polled.now = addMilliseconds(polled.now, MINUTE);
    };
    await polled.past(minutes(200));
    expect(await polled.gaps()).toMatchObject([{ unchecked: [{ from: at(0), to: at(minutes(90)) }] }]);
    expect(polled.service.queries).toHaveLength(10);
  });

  test('is read no faster than the service’s smallest plan allows', async () => {
    await polled.poll(0);
    await polled.poll(minutes(600));
    polled.service.queries.length = 0;
    await readPast(polled.ctx(), polled.name, addMilliseconds(polled.now, 500), NEVER);
    expect(polled.service.queries).toHaveLength(12);
  });

  test('is read also where a gap can’t be, which is said', async () => {
    await polled.poll(0);
    await polled.poll(minutes(60));
    let pages = 0;
    polled.service.beforePage = () => {
      polled.service.problem = ++pages === 1 ? { kind: 'rate-limited', retryAfterMs: 1_000 } : null;
    };
    await expect(polled.past(minutes(61))).rejects.toThrow(ServiceError);
    expect(pages).toBeGreaterThan(1);
    polled.service.beforePage = () => {
      pages = 0;
      throw new TypeError('a bug');
    };
    await expect(polled.past(minutes(62))).rejects.toThrow('a bug');
  });

  test('says by how much it is late while the service can’t be asked', async () => {
    await polled.poll(0);
    await polled.past(1);
    polled.service.problem = { kind: 'unreachable' };
    await expect(polled.past(minutes(60))).rejects.toThrow(ServiceError);
    expect((await polled.known())?.behindMs).toBeGreaterThan(30 * MINUTE);
  });
});
