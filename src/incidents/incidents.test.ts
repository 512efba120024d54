import { beforeEach, expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { explainCause } from '../causes/explain-cause.ts';
import { addChanges } from '../changes/changes.ts';
import type { Failure } from '../judging/failure.ts';
import { createTraffic } from '../judging/traffic.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { anEvent, aWorkflow } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { at, failureOf, reading, readingsOf, record } from '../store/examples.testing.ts';
import { EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { incidentsNow } from './incidents-now.ts';
import { incidentNow } from './lists.ts';
import { notesOf } from './notes.ts';
import { countOpen, openRows } from './open-incidents.ts';
import { recordReadings } from './record.ts';
import { noteSharedLabels } from './shared-label.ts';
import { failures } from './tables.ts';
import { timelineOf } from './timeline.ts';

describeNight('Incidents', (night) => {
  beforeEach(() => night.watch());
  const fails = (cause: string, changes: Partial<Failure> = {}) =>
    failureOf(cause, { occurredAt: night.now(), eventCreatedAt: night.now(), ...changes });
  const named = (workflow: string | null, count: number, changes: Partial<Failure> = {}) =>
    Array.from({ length: count }, (_, place) => {
      const eventKey = `${workflow}-${place}-${changes.channel}`;
      return fails('refused', { eventKey, workflow, workflowName: workflow, ...changes });
    });
  const limited = (minute: number, changes: Partial<Failure> = {}) =>
    fails('rate limit exceeded', { eventKey: `at-${minute}`, occurredAt: at(minute), ...changes });
  const finds = (...found: Failure[]) => record(night.store, 'production', reading({ failures: found }), night.now());
  const shown = (id: number) => incidentNow(night.store.db, id, night.now());
  const seenBy = async (filter: Partial<WatchFilter>) => {
    const found = await incidentsNow(night.store.db, [1, 2, 3, 4], { ...EVERYTHING, ...filter }, night.now());
    return [1, 2, 3, 4].map((id) => found.get(id));
  };
  const edited = async () => {
    await night.announce();
    await night.deliver();
    return night.channel.edited.at(-1)?.content;
  };
  const happened = async (id: number) =>
    (await timelineOf(night.store.db, id)).map(({ change, outbreak }) => `${change?.action} in ${outbreak}`);

  test('what is counted in all is of the outbreak that is shown, though more fails while it is read', async () => {
    await night.poll(night.refused(0));
    await night.does(1, { what: 'resolved' });
    night.minutes = 40;
    await night.poll(night.refused(1));
    const { db } = night.store;
    let isRead = false;
    const slow: Db = Object.create(db, {
      rows: {
        value: async (...statement: Parameters<Db['rows']>) => {
          if (!isRead) await finds(night.refused(2));
          isRead = true;
          return db.rows(...statement);
        },
      },
    });
    const incident = (await incidentsNow(slow, [1], null, night.now())).get(1);
    expect([incident?.failures, incident?.failuresInAll]).toEqual([1, 2]);
  });

  test('an incident is shown with its workflows, what was tried, its age, a change before it, and what people did', async () => {
    // #1 recovers, since its channel delivers afterwards.
    await night.poll(fails('quiet', { channel: 'in_app', provider: null }));
    night.minutes = 4;
    await night.succeed(4, { workflow: 'welcome', channel: 'in_app', provider: '' });
    await night.succeed(2, { channel: 'in_app', provider: '' });
    await night.wait(2);
    const name = boundedId('Order shipped');
    const what = { kind: 'workflow', identifier: boundedId('order-shipped'), name, aspects: [name] } as const;
    const change = { environment: 'production', at: at(6), notBefore: null, what };
    // What fails in several workflows isn't explained by a change of one of them.
    const ofOneOfMany = { ...change, at: at(5), what: { ...what, identifier: boundedId('billing') } };
    await night.store.db.transaction((tx) => addChanges(tx, [change, ofOneOfMany]));
    await night.succeed(6, { workflow: 'welcome' });
    // #2 fails in five workflows, one of which was deleted, #3 ('other') and #4 ('blocked') in one each.
    const bounced = { occurredAt: at(5.5), critical: true, verdict: 'bounced', severity: 'low' } as const;
    await night.poll(
      ...[...named('alpha', 1), ...named('billing', 1, bounced), ...named('digest', 1), ...named(null, 2)],
      ...[...named('welcome', 2), fails('other'), ...named('welcome', 1, { eventKey: 'last' })],
      fails('blocked', { workflow: 'welcome' }),
    );
    await night.does(2, { what: 'acknowledged' });
    await night.does(2, { what: 'assigned', to: 'U0BEN' });
    await night.does(2, { what: 'noted', text: 'key rotated' });
    await night.does(3, { what: 'resolved' });
    night.minutes = 8;
    expect(await shown(2)).toMatchObject({ staleSince: null });
    night.minutes = 9;
    const [quiet, refused, other] = await seenBy({});
    const share = (workflow: string | null, failures: number, tried: number) =>
      expect.objectContaining({ workflow, failures, attempts: { failed: failures, tried } });
    expect(refused).toMatchObject({
      id: 2,
      asOf: at(9),
      isRecipientFault: false,
      failuresInAll: 8,
      firstAt: at(5.5),
      beganAt: at(5.5),
      code: expect.stringMatching(/^[0-9a-f]{8}$/),
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
      environment: 'production',
      channel: 'email',
      provider: 'sendgrid',
      cause: { text: 'refused', key: 'refused' },
      verdict: 'failed',
      failures: 8,
      subscribers: 8,
      lastAt: at(6),
      critical: true,
      example: { eventId: 'last', transactionId: 'transaction-of-last', subscriberId: 'subscriber-of-last' },
      workflows: [share('billing', 1, 1), share('welcome', 3, 10), share(null, 2, 2)],
      moreWorkflows: 2,
      attempts: { since: at(5.5), failed: 8, tried: 16 },
      wentThrough: 0,
      staleSince: at(6),
      changedBefore: [],
      state: { is: 'firing' },
      outbreak: 1,
      acknowledged: { actor: 'U0ANN', at: at(6) },
      assignedTo: 'U0BEN',
      kind: 'failures',
      badness: 'many',
      note: { actor: 'U0ANN', at: at(6), text: 'key rotated' },
    });
    expect(other).toMatchObject({
      failures: 1,
      workflows: [{ workflow: 'order-shipped', workflowName: 'Order shipped', attempts: { failed: 1, tried: 1 } }],
      moreWorkflows: 0,
      attempts: { since: at(6), failed: 1, tried: 15 },
      changedBefore: [change],
      staleSince: null,
      state: { is: 'resolved', at: at(6), actor: 'U0ANN' },
      acknowledged: null,
      assignedTo: null,
      note: null,
      lastTime: null,
    });
    expect(quiet).toMatchObject({
      attempts: { since: at(1), failed: 0, tried: 6 },
      state: { is: 'recovering', since: at(0) },
      wentThrough: 2,
      staleSince: null,
      workflows: [{ workflow: 'order-shipped', attempts: { tried: 2 } }],
    });
  });

  test('a filtered watch is shown its own part, without shares, and all of what has nothing of its own', async () => {
    const acme: Partial<Failure> = { contexts: ['tenant:acme'], verdict: 'bounced', severity: 'low' };
    await night.poll(...named('alpha', 3), ...named('beta', 2, { channel: 'sms' }));
    night.minutes = 1;
    const sms = { ...acme, channel: 'sms', verdict: 'failed', workflowName: 'Text' } as const;
    for (const part of [acme, sms]) await night.poll(...named('one', 2, part), ...named('two', 1, part));
    night.minutes = 2;
    await night.poll(...named('last', 1, { critical: true }));
    const counts = { failures: 3, subscribers: 3, beganAt: at(1), lastAt: at(1) };
    const part = (id: number, verdict: string, workflowName: string) => ({
      ...counts,
      id,
      verdict,
      critical: false,
      moreWorkflows: 0,
      attempts: null,
      workflows: [{ workflow: 'one' }, { workflow: 'two', workflowName, attempts: null }],
    });
    const filtered = await seenBy({ contexts: ['tenant:acme'] });
    expect(filtered.slice(0, 2)).toMatchObject([part(1, 'bounced', 'two'), part(2, 'failed', 'Text')]);
    const examples = [filtered, await seenBy({})].map(([first]) => first?.example.eventId);
    expect(examples).toEqual(['two-0-undefined', 'last-0-undefined']);
    expect((await seenBy({ contexts: ['tenant:nobody'] }))[0]).toMatchObject({
      workflows: [{ workflow: 'last' }, { workflow: 'alpha' }, { workflow: 'one' }],
      attempts: null,
      failures: 7,
      beganAt: at(0),
      lastAt: at(2),
      critical: true,
    });
  });

  test('a filtered watch is shown what it alerted to while only others relapse', async () => {
    await night.poll(...named('order-shipped', 1), ...named('welcome', 3));
    night.minutes = 1;
    await night.succeed(400, { workflow: 'welcome' });
    await night.recover();
    night.minutes += 60;
    await night.poll(...named('welcome', 2, { jobId: 'later' }));
    const counts = { failures: 1, subscribers: 1, beganAt: at(0), lastAt: at(0) };
    const [incident] = await seenBy({ workflows: ['order-shipped'] });
    const state = { is: 'recovering', since: at(0) };
    expect(incident).toMatchObject({ ...counts, outbreak: 1, state, workflows: [{ workflow: 'order-shipped' }] });
    for (const minutes of [12, 24 * 60]) await night.wait(minutes);
    const [unconfirmed] = await seenBy({ workflows: ['order-shipped'] });
    expect(unconfirmed?.state).toEqual({ is: 'unconfirmed', since: at(0) });
    await night.does(1, { what: 'resolved' });
    const [resolved] = await seenBy({ workflows: ['order-shipped'] });
    expect(resolved).toMatchObject({ failures: 1, state: { is: 'resolved' } });
  });

  test('an incident keeps which label its events share beyond the usual, until another one is known or it relapses', async () => {
    const traffic = createTraffic();
    const acme = { contexts: ['tenant:acme'], severity: null };
    const usual = (name: string | null) =>
      Array.from({ length: 40 }, (_, place) => {
        const workflow = name === null ? null : aWorkflow({ identifier: name, name });
        return anEvent({ id: `${name}-${place}`, contextKeys: place < 10 ? acme.contexts : [], workflow });
      });
    traffic.add('production', [...usual('welcome'), ...usual(null)]);
    const sms = { ...acme, channel: 'sms' };
    // #1 has one failure more than is compared, and #3 one event less than says something. #4 has no label.
    await night.poll(
      ...[...named('welcome', 251, acme), ...named(null, 10, sms), ...named(null, 1, { ...sms, jobId: 'again' })],
      ...[...named('few', 9, { ...acme, channel: 'push' }), ...named('apart', 10, { channel: 'chat' })],
    );
    const shared = async (filter = {}) => (await seenBy(filter)).map((row) => row?.shared);
    const note = (known = traffic) => noteSharedLabels(night.store.db, 'production', known);
    const label = { kind: 'context', value: 'tenant:acme' };
    const all = { label, events: 10, total: 10, usually: 0.25, isOfNewest: false };
    const newest = { ...all, events: 250, total: 250, isOfNewest: true };
    await note();
    expect(await shared()).toEqual([newest, all, null, null]);
    expect(await shared({ contexts: ['tenant:acme'] })).toEqual(Array(4).fill(null));
    await night.does(1, { what: 'resolved' });
    await note(createTraffic());
    expect(await shared()).toEqual([newest, all, null, null]);
    night.minutes = 1;
    await night.poll(...named('welcome', 1, { jobId: 'relapse' }), ...named('welcome', 10, { channel: 'sms' }));
    await note();
    expect(await shared()).toEqual(Array(4).fill(null));
  });

  test('an incident shows its two newest notes, also those of the last of its cause', async () => {
    await night.poll(fails('a'));
    await night.does(1, { what: 'noted', text: 'seen' });
    await night.does(1, { what: 'noted', text: 'key rotated' }, 'U0BEN');
    night.minutes = 3000;
    await night.poll(fails('a', { eventKey: 'second' }), fails('other'));
    const note = { actor: 'U0BEN', at: at(0), text: 'key rotated' };
    const earlierNote = { actor: 'U0ANN', at: at(0), text: 'seen' };
    expect((await seenBy({})).slice(0, 3)).toMatchObject([
      { id: 1, note, earlierNote, lastTime: null },
      { id: 2, note: null, earlierNote: null, lastTime: { from: at(0), note } },
      { id: 3, note: null, earlierNote: null, lastTime: null },
    ]);
    await night.does(2, { what: 'noted', text: 'on it' });
    expect(await shown(2)).toMatchObject({ note: { text: 'on it' }, lastTime: { from: at(0), note } });
    expect(await notesOf(night.store.db, 1, 5)).toEqual([note, earlierNote]);
  });

  test('failures are dated as stated, but never ahead, have not too many labels, and count once', async () => {
    const dated = (cause: string, occurredAt: Date | null = null, eventCreatedAt: Date | null = null, labels = 0) =>
      failureOf(cause, { occurredAt, eventCreatedAt, tags: Array.from({ length: labels }, (_, n) => `tag-${n}`) });
    const page = [dated('a', at(3), at(1), 600), dated('b', null, at(1)), dated('c'), dated('d', at(99), at(1))];
    for (const _ of ['read', 'read again'])
      await night.store.db.transaction((tx) =>
        recordReadings(tx, 'production', readingsOf(page), { now: at(9), clockAheadMs: null, explainCause }),
      );
    expect(await night.store.db.select().from(failures).orderBy(failures.seq)).toMatchObject([
      { seq: 1, occurredAt: at(1), eventCreatedAt: at(1) },
      { seq: 2, occurredAt: at(3), eventCreatedAt: at(1), tags: { length: 500 } },
      { seq: 3, occurredAt: at(9), eventCreatedAt: at(9) },
      { seq: 4, occurredAt: at(9), eventCreatedAt: at(1) },
    ]);
  });

  test('an incident keeps number and acts while one failure after the other names its provider no more', async () => {
    const named = [1, 2, 3].map((place) => fails('unrendered', { eventKey: `event-${place}`, provider: 'svc' }));
    await night.poll(...named);
    await night.does(1, { what: 'acknowledged' });
    for (const failure of named) {
      const whole = readingsOf([{ ...failure, provider: null }]).map((read) => ({ ...read, isWhole: true }));
      const recording = { now: night.now(), clockAheadMs: null, explainCause };
      await night.store.db.transaction((tx) => recordReadings(tx, 'production', whole, recording));
    }
    await night.poll(fails('unrendered', { eventKey: 'event-4', provider: null }));
    expect(await shown(1)).toMatchObject({ provider: null, failures: 4, acknowledged: { actor: 'U0ANN' } });
    expect([await shown(2), night.alerts()]).toEqual([null, [['new #1 3']]]);
  });

  test('failures of one page go on with the incident of the earliest, and late ones wake none but their own', async () => {
    await night.poll(limited(0), fails('b'));
    await night.does(1, { what: 'resolved' });
    night.minutes = 48 * 60;
    const others = [24, 48].map((hour) => fails('b', { eventKey: `b-${hour}`, occurredAt: at(hour * 60) }));
    await finds(limited(27 * 60), ...others);
    await finds(limited(25 * 60));
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' }, outbreak: 1, failures: 1 });
    expect(await shown(2)).toMatchObject({ failures: 3 });
    expect(await shown(3)).toMatchObject({ firstAt: at(25 * 60), failures: 2 });
  });

  test('an incident that fails after its end begins anew at once, and stays with who has it', async () => {
    await night.poll(limited(0, { workflow: 'alpha', critical: true, verdict: 'bounced' }), limited(0.5));
    for (const deed of [{ what: 'acknowledged' }, { what: 'assigned', to: 'U0ANN' }] as const)
      await night.does(1, deed);
    night.minutes = 5;
    await night.store.db.write('UPDATE environments SET clock_ahead_ms = -120000');
    await night.does(1, { what: 'resolved' });
    night.minutes = 5.5;
    await finds(limited(2, { critical: true }));
    expect(await shown(1)).toMatchObject({ state: { is: 'resolved' }, failures: 3 });
    await finds(limited(4.9, { severity: 'low' }));
    const counts = { failures: 1, subscribers: 1, critical: false, verdict: 'failed', failuresInAll: 4 };
    expect(await shown(1)).toMatchObject({
      headline: 'rate limit reached',
      state: { is: 'firing' },
      outbreak: 2,
      firstAt: at(0),
      beganAt: at(4.9),
      acknowledged: null,
      formerly: { actor: 'U0ANN', at: at(0) },
      assignedTo: 'U0ANN',
      workflows: [{ workflow: 'order-shipped', failures: 1 }],
      ...counts,
    });
    for (const minute of [4.5, 1]) await finds(limited(minute));
    expect(await shown(1)).toMatchObject({ failures: 2, failuresInAll: 6, beganAt: at(4.5) });
    await edited();
    await finds(limited(3.5));
    expect(await shown(1)).toMatchObject({ failures: 3, beganAt: at(4.5), firstAt: at(0) });
    expect(await happened(1)).toEqual([
      ...['began in 1', 'acknowledged in 1', 'assigned in 1', 'resolved in 1', 'back in 2'],
      ...['found-later in 1', 'began-earlier in 2'],
    ]);
  });

  test('an incident that is recovering is woken only by new failures, and counts on', async () => {
    await night.poll(limited(0));
    await night.wait(5);
    await finds(limited(-1));
    expect(await shown(1)).toMatchObject({ state: { is: 'recovering' }, beganAt: at(0), firstAt: at(-1) });
    await finds(limited(-2), limited(5));
    expect(await shown(1)).toMatchObject({ state: { is: 'firing' }, outbreak: 1, workflows: [{ failures: 4 }] });
  });

  test('what is only counted stays one incident, since nothing ends it', async () => {
    for (const minute of [0, 5, 10]) {
      night.minutes = minute;
      await night.poll({ ...night.gone(minute), verdict: 'undeliverable' });
    }
    expect(await shown(1)).toMatchObject({ failures: 3, beganAt: at(0) });
  });

  test.each(['retried-then-fine', 'undeliverable', 'skipped-by-design'] as const)(
    'failures leave what they were counted in once they turn out to be %s, which opens nothing',
    async (verdict) => {
      const first = limited(-1);
      const second = limited(0, { workflow: 'alpha', critical: true });
      await night.poll(first, second);
      const noFailure = (failure: Failure): Failure => ({ ...failure, verdict });
      await finds(noFailure(second));
      night.minutes = 1;
      const workflows = [{ failures: 1 }];
      const counts = { failures: 1, subscribers: 1, critical: false };
      expect(await edited()).toMatchObject({ rows: [{ incident: { ...counts, workflows } }] });
      night.minutes = 2;
      const open = async () => countOpen(await openRows(night.store.db, ['production'], night.now()));
      expect(await open()).toMatchObject({ firing: 1, unconfirmed: 0 });
      await finds(noFailure(first), noFailure(limited(2)));
      expect(await open()).toMatchObject({ firing: 0, unconfirmed: 0 });
      expect(await shown(1)).toMatchObject({ failures: 0, example: { eventId: null, transactionId: '' } });
      expect(await shown(2)).toMatchObject({ state: { is: 'resolved' }, outbreak: 1, failures: 3 });
    },
  );
});
