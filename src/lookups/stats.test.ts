import { expect, test } from 'vitest';
import { addChanges } from '../changes/changes.ts';
import { noteCondition } from '../incidents/conditions.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import { boundedId, maskedId } from '../lib/text/shown-id.ts';
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
import type { Grouping } from './attempt-statements.ts';
import { statsIn } from './stats.ts';

const CHECKED = async () => ({ outcome: 'checked', problem: null }) as const;

describeStore('the stats of a range', (store) => {
  const ctx = () => ({ environment: anEnvironment(), db: store().db, checkNow: CHECKED, now: () => NOON });
  const statsOf = async (from: number, to: number, grouping: Grouping = 'provider') => {
    const byEmail = (...minutes: readonly number[]) =>
      minutes.map((minute) => ({ channel: 'email', provider: 'ses', domain: null, at: at(minute) }));
    const workflow = { id: 'workflow-2', identifier: 'welcome', name: 'Welcome', variables: [] };
    const welcome = trackedEvent({ eventKey: 'event-2', createdAt: at(-90), workflow, delivered: byEmail(-3) });
    const delivered = [...byEmail(-90, -5, -4), { channel: 'sms', provider: 'twilio', domain: null, at: at(-2) }];
    const event = trackedEvent({ createdAt: at(-90), delivered });
    const down = { channel: 'sms', occurredAt: at(-1) };
    const failed = ['twilio', 'vonage'].map((provider) => failureOf(provider, { ...down, provider }));
    // What is stuck, or was skipped, wasn't tried.
    const stuck = failureOf('stuck', { ...down, provider: 'twilio', verdict: 'stuck' });
    const skipped = { ...down, channel: 'throttle', provider: null, verdict: 'skipped-by-design' } as const;
    const failures = [...failed, stuck, failureOf('throttled', skipped)];
    await record(
      store(),
      await openedEnvironment(store()),
      reading({ trackedEvents: [event, welcome], failures }),
      NOON,
    );
    await store().db.write("UPDATE incidents SET state = 'resolved' WHERE provider = 'vonage'", []);
    await covered(store(), { from: at(-120), to: NOON });
    return statsIn(ctx(), { from: at(from), to: at(to) }, { grouping, filter: ALL_FAILURES });
  };

  test('name the open incidents that a row is about, and begin with the worst share', async () => {
    const twilio = { name: 'twilio', delivered: 1, failed: 1, firing: [1, 3] };
    const ses = { name: 'ses', delivered: 3, lastHour: 3, firing: [] };
    // The deliveries of the minute in which the range begins count, too.
    expect((await statsOf(-4.5, 0)).rows).toMatchObject([{ name: 'vonage', failed: 1, firing: [] }, twilio, ses]);
  });

  test('by domain, name an incident at each domain where it fails, and at no other', async () => {
    const email = { channel: 'email', provider: 'ses', occurredAt: at(-1) };
    const domains = ['gmail.example', 'web.example'];
    const delivered = [...domains, 'mail.example'].map((domain) => ({ ...email, domain, at: at(-2) }));
    await record(
      store(),
      await openedEnvironment(store()),
      reading({
        trackedEvents: [trackedEvent({ createdAt: at(-90), delivered })],
        failures: domains.map((domain) => failureOf('refused', { ...email, domain, eventKey: domain })),
      }),
      NOON,
    );
    await covered(store(), { from: at(-120), to: NOON });
    const { rows } = await statsIn(ctx(), { from: at(-10), to: NOON }, { grouping: 'domain', filter: ALL_FAILURES });
    expect(
      rows
        .filter(({ firing }) => firing.length > 0)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(domains);
    // Each delivery has a domain: there is no row of others.
    expect(rows.map(({ name }) => name)).not.toContain('');
  });

  test('have nothing from after a range that has ended', async () => {
    const [row] = (await statsOf(-100, -80)).rows;
    expect(row).toMatchObject({ delivered: 1, lastAt: at(-90), lastHour: null, usualHour: null });
    expect((await statsOf(-150, -121)).rows).toEqual([]);
  });

  test('say what is usual once a day is covered, and when a workflow was last seen changed', async () => {
    await openedEnvironment(store());
    expect((await statsOf(-100, 0, 'workflow')).rows[0]?.usual).toBeNull();
    await covered(store(), { from: at(-2 * 24 * 60), to: NOON });
    const change = { environment: 'production', notBefore: null } as const;
    const what = {
      kind: 'workflow',
      identifier: boundedId('order-shipped'),
      name: maskedId('Order'),
      aspects: [],
    } as const;
    const times = [at(-300), at(-200)].map((changedAt) => ({ ...change, at: changedAt, what }));
    await store().db.transaction((tx) => addChanges(tx, times));
    const { rows } = await statsIn(ctx(), { from: at(-100), to: NOON }, { grouping: 'workflow', filter: ALL_FAILURES });
    const orders = rows.find(({ name }) => name === 'order-shipped');
    // Four deliveries and two failures in 48 hours.
    expect(orders).toMatchObject({ changedAt: at(-200), usual: { share: 1 / 3 } });
    expect(orders?.usual?.perHour).toBeCloseTo(6 / 48, 2);
    expect(rows.find(({ name }) => name === 'welcome')).toMatchObject({ changedAt: null });
  });

  test('begin with a workflow that is silent, while that goes on', async () => {
    const { db } = store();
    await openedEnvironment(store());
    const workflow = { identifier: boundedId('welcome'), name: null };
    const said = { headline: null, causeText: 'pauses usually end within 1 min', causeKey: 'silence', critical: false };
    const times = { beganAt: at(-40), lastAt: at(-30), gapId: null };
    const silence = { kind: 'silence', environment: 'production', workflow, ...said, ...times } as const;
    await db.transaction((tx) => noteCondition(tx, silence, at(-30)));
    const now = await statsOf(-100, 0, 'workflow');
    expect(now.silences).toMatchObject([{ workflow: 'welcome', since: at(-40), usually: said.causeText }]);
    expect(now.rows.map(({ name, isSilent }) => [name, isSilent])).toEqual([
      ['welcome', true],
      ['order-shipped', false],
    ]);
    expect(await statsOf(-100, -80, 'workflow')).toMatchObject({ silences: [], rows: [{ isSilent: false }] });
  });
});
