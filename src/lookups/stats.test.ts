import { expect, test } from 'vitest';
import { ALL_FAILURES } from '../failures/filter.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import {
  at,
  covered,
  failureOf,
  NOON,
  openedEnvironment,
  reading,
  record,
  trackedEvent,
} from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { statsIn } from './stats.ts';

describeStore('the stats of a range', (store) => {
  const statsOf = async (from: number, to: number) => {
    const byEmail = [-90, -5, -4, -3].map((minute) => ({ channel: 'email', provider: 'ses', at: at(minute) }));
    const delivered = [...byEmail, { channel: 'sms', provider: 'twilio', at: at(-2) }];
    const event = trackedEvent({ createdAt: at(-90), delivered });
    const down = { channel: 'sms', occurredAt: at(-1) };
    const failures = ['twilio', 'vonage'].map((provider) => failureOf(provider, { ...down, provider }));
    await record(store(), await openedEnvironment(store()), reading({ trackedEvents: [event], failures }), NOON);
    await store().db.write("UPDATE incidents SET state = 'resolved' WHERE provider = 'vonage'", []);
    await covered(store(), { from: at(-120), to: NOON });
    const checkNow = async () => ({ outcome: 'checked', problem: null }) as const;
    const ctx = { environment: anEnvironment(), db: store().db, checkNow, now: () => NOON };
    return (await statsIn(ctx, { from: at(from), to: at(to) }, { grouping: 'provider', filter: ALL_FAILURES })).rows;
  };

  test('name the open incidents that a row is about, and begin with the worst share', async () => {
    const twilio = { name: 'twilio', delivered: 1, failed: 1, firing: [1] };
    const ses = { name: 'ses', delivered: 3, lastHour: 3, firing: [] };
    // Also the deliveries of the minute in which it begins.
    expect(await statsOf(-4.5, 0)).toMatchObject([{ name: 'vonage', failed: 1, firing: [] }, twilio, ses]);
  });

  test('have nothing from after a range that has ended', async () => {
    expect(await statsOf(-100, -80)).toMatchObject([{ delivered: 1, lastAt: at(-90), lastHour: null, usually: null }]);
    expect(await statsOf(-150, -121)).toEqual([]);
  });
});
