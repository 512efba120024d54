import { beforeEach, expect, test } from 'vitest';
import { describeNight } from '../alerts/night.testing.ts';
import { addChanges } from '../changes/changes.ts';
import type { Failure } from '../judging/failure.ts';
import { createTraffic } from '../judging/traffic.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { anEvent, aWorkflow } from '../service/event.testing.ts';
import type { Db } from '../store/db.ts';
import { at, failureOf, reading, record } from '../store/examples.testing.ts';
import { EVERYTHING, type WatchFilter } from '../watches/settings.ts';
import { incidentsNow } from './incidents-now.ts';
import { incidentNow } from './lists.ts';
import { notesOf } from './notes.ts';
import { noteSharedLabels } from './shared-label.ts';

describeNight('Incidents as they are now', (night) => {
  beforeEach(() => night.watch());
  const fails = (cause: string, changes: Partial<Failure> = {}) =>
    failureOf(cause, { occurredAt: night.now(), eventCreatedAt: night.now(), ...changes });
  const named = (workflow: string | null, count: number, changes: Partial<Failure> = {}) =>
    Array.from({ length: count }, (_, place) => {
      const eventKey = `${workflow}-${place}-${changes.channel}`;
      return fails('refused', { eventKey, workflow, workflowName: workflow, ...changes });
    });
  const finds = (...found: Failure[]) => record(night.store, 'production', reading({ failures: found }), night.now());
  const shown = (id: number) => incidentNow(night.store.db, id, night.now());
  const seenBy = async (filter: Partial<WatchFilter>) => {
    const found = await incidentsNow(night.store.db, [1, 2, 3, 4], { ...EVERYTHING, ...filter }, night.now());
    return [1, 2, 3, 4].map((id) => found.get(id));
  };

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
});
