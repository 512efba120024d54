import { expect, test } from 'vitest';
import { EVERYTHING, UNFILTERED } from '../../domain/watches/watch.ts';
import { at, failureOf, NOON, recordFailures } from '../examples.testing.ts';
import { describeStore } from '../store.testing.ts';

const HOURS = 60;

describeStore('the past incidents of a watch', (store) => {
  const fail = (now: Date, cause: string, times: number, workflow = 'order-shipped') =>
    recordFailures(
      store(),
      now,
      Array.from({ length: times }, (_, index) =>
        failureOf(cause, { eventKey: `${cause} ${index} at ${now.toISOString()}`, workflow, occurredAt: now }),
      ),
    );
  const settings = {
    ...UNFILTERED,
    filter: { ...EVERYTHING, workflows: ['order-shipped'] },
    threshold: { failures: 3, withinMs: 10 * 60_000, rate: null },
  };
  const past = async (since: Date) =>
    (await store().alerting.pastIncidents('production', settings, since)).map(({ group, failures, isReached }) => ({
      ...{ cause: group.cause.text, failures, isReached },
    }));

  test('are those that it covers, and reached its threshold if that many failed within its time', async () => {
    await fail(NOON, 'burst', 4);
    await fail(NOON, 'slow', 2);
    await fail(at(30), 'slow', 2);
    await fail(at(30), 'burst', 9, 'password-reset');
    await fail(at(30), 'elsewhere', 9, 'password-reset');
    expect(await past(at(-1))).toEqual([
      { cause: 'burst', failures: 4, isReached: true },
      { cause: 'slow', failures: 4, isReached: false },
    ]);
    expect(await past(at(60))).toEqual([]);
  });

  test('count one that goes on after a day once', async () => {
    for (let hour = 0; hour < 25; hour += 0.5) await fail(at(hour * HOURS), 'a', 1);
    expect(await past(at(-1))).toEqual([{ cause: 'a', failures: 50, isReached: false }]);
  });
});
