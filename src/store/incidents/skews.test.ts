import { beforeEach, expect, test } from 'vitest';
import type { Label } from '../../domain/failures/labels.ts';
import { labelNumbersOf } from '../../domain/failures/labels.ts';
import { NO_SKEWS } from '../../domain/incidents/skews.ts';
import { EVERYTHING, UNFILTERED, type WatchFilter } from '../../domain/watches/watch.ts';
import { announceFailures } from '../../use-cases/alerting/announce-failures.ts';
import { at, checkedTo, failureOf, reading, takeCursor, trackedEvent } from '../examples.testing.ts';
import { describeStore, silent } from '../store.testing.ts';

const NO_LABELS = { contextKeys: [], topicKeys: [], tags: [], severity: null };

describeStore('the skew of an incident', (store) => {
  const watchOf = (filter: Partial<WatchFilter> = {}) =>
    store().watches.makeWatch(
      { channel: 'C1', createdBy: 'U1', settings: { ...UNFILTERED, filter: { ...EVERYTHING, ...filter } } },
      at(-1),
    );

  beforeEach(async () => {
    await takeCursor(store());
  });

  /** Polls failed and other events from half a minute ago, each labeled with its contexts. */
  const poll = async (
    minute: number,
    failed: readonly (readonly string[])[],
    others: readonly (readonly string[])[],
  ) => {
    const now = at(minute);
    const failures = failed.map((contexts, n) =>
      failureOf('a', { eventKey: `${minute} ${n}`, contexts, occurredAt: now, eventCreatedAt: now }),
    );
    const events = [...failed, ...others].map((contextKeys, n) =>
      trackedEvent({
        eventKey: `${minute} ${n}`,
        createdAt: now,
        labels: labelNumbersOf({ ...NO_LABELS, contextKeys }),
      }),
    );
    await store().polling.record(await takeCursor(store()), reading({ trackedEvents: events, failures }), now);
    await checkedTo(store(), now);
    return now;
  };

  const row = async (now: Date) => {
    const ids = await announceFailures('production', { store: store().alerting, logger: silent, now: () => now });
    const contents = await Promise.all(ids.map((id) => store().deliveries.content(id, now)));
    return contents.flatMap((content) => (content.kind === 'digest' ? content.rows : []))[0];
  };

  const of = (count: number, ...contexts: string[]) => Array.from({ length: count }, () => contexts);

  test('names a context that all failed events and few others have', async () => {
    await watchOf();
    const now = await poll(0, of(20, 'tenant:acme'), [...of(5, 'tenant:acme'), ...of(175, 'tenant:globex')]);
    const label: Label = { kind: 'context', value: 'tenant:acme' };
    expect((await row(now))?.skews).toEqual({
      found: [{ is: 'label', label, events: 20, of: 20, usually: 25 / 200 }],
      newest: null,
    });
  });

  test('ignores a context that all events have', async () => {
    await watchOf();
    expect((await row(await poll(0, of(20, 'tenant:acme'), of(180, 'tenant:acme'))))?.skews).toEqual(NO_SKEWS);
  });

  test('compares only with events of the same time, and counts an event once however often it is read', async () => {
    await watchOf();
    await poll(-60, [], of(200, 'tenant:globex'));
    await poll(0, of(20, 'tenant:acme'), of(10, 'tenant:acme'));
    expect((await row(await poll(0, of(20, 'tenant:acme'), of(10, 'tenant:acme'))))?.skews).toEqual(NO_SKEWS);
  });

  test('uses the newest failures of a large incident', async () => {
    await watchOf();
    await poll(0, of(50, 'tenant:globex'), of(500, 'tenant:globex'));
    const now = await poll(1, of(250, 'tenant:acme'), of(500, 'tenant:globex'));
    expect((await row(now))?.skews).toMatchObject({ found: [{ events: 250, of: 250 }], newest: 250 });
  });

  test("isn't shown to a watch for some contexts only", async () => {
    await watchOf({ contexts: ['tenant:acme'] });
    const now = await poll(0, of(20, 'tenant:acme'), of(180, 'tenant:globex'));
    expect(await row(now)).toMatchObject({ tally: { failures: 20 }, skews: NO_SKEWS });
  });
});
