import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { aNight } from '../alerts/night.testing.ts';
import { mostAffected } from '../incidents/affected.ts';
import { ALL_FAILURES } from '../judging/filter.ts';
import { silent } from '../lib/logger.testing.ts';
import { createSeal } from '../lib/seal.ts';
import { aContact, reveals } from '../lib/text/contact-ids.testing.ts';
import { Payload } from '../lib/text/payload.ts';
import { MOST_ID_BYTES } from '../lib/text/shown-id.ts';
import { failuresIn } from '../lookups/failures.ts';
import { unsealed } from '../sendings/sealed-recipients.ts';
import { sendTrigger } from '../sendings/send.ts';
import { triggers } from '../sendings/tables.ts';
import { aService } from '../service/client.testing.ts';
import { NO_OPTIONS } from '../service/event.testing.ts';
import { parseWatchSettings } from '../watches/parse-settings.ts';
import { configuredWatch, madeWatch } from '../watches/watches.testing.ts';
import { ALL_CHECKED, at, failure, failureOf, NOON, recordFailures } from './examples.testing.ts';
import type { OpenDb } from './open.ts';
import { describeStore, storedRows } from './store.testing.ts';

describeStore('a subscriber id that is a contact', (opened) => {
  let store: OpenDb;
  beforeEach(() => {
    store = opened();
  });
  const watch = (subscriber: readonly string[]) => {
    const defaults = { environments: [], timeZone: 'UTC' };
    const settings = parseWatchSettings({ subscriber }, defaults);
    return madeWatch(store.db, { channel: 'C2', createdBy: 'U1', settings }, NOON);
  };

  test('is in no row of any table, in any spelling', async () => {
    const contacts = fc.sample(aContact(), { numRuns: 60, seed: 7 });
    await configuredWatch(store.db, 'C1', NOON);
    const failures = contacts.map(({ id }, index) => failure({ eventKey: `event-${index}`, subscriberId: id }));
    await recordFailures(store, NOON, failures);
    await watch(contacts.slice(0, 20).map(({ id }) => id));
    const seal = createSeal('xoxb-secret');
    const triggerEvents = async () => [];
    const ctx = {
      db: store.db,
      seal,
      logger: silent,
      now: () => NOON,
      newId: randomUUID,
      wakeOutbox: async () => {},
      serviceOf: () => aService({ triggerEvents }),
    };
    const events = contacts.map(({ id }) => ({ subscriberId: id, payload: new Payload({}), profile: null }));
    const place = { channel: 'C1', eventKey: null, environment: 'production', workflow: 'order-shipped' };
    await sendTrigger(ctx, { ...place, intent: 'intent-1', actor: 'U1', events, options: NO_OPTIONS });
    const rows = `${await storedRows(store.db)}`;
    expect(rows).toContain('event-59');
    expect(contacts.filter((contact) => reveals(rows, contact))).toEqual([]);

    const sent = (await store.db.select().from(triggers)).flatMap(({ recipients }) => recipients);
    const ids = sent.toSorted((a, b) => a.row - b.row).map((recipient) => unsealed(recipient, seal));
    expect(ids).toEqual(contacts.map(({ id }) => id));
  });

  test('is found by its whole ID, and listed masked, once', async () => {
    await configuredWatch(store.db, 'C1', NOON);
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'again', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'two', subscriberId: 'bob@example.com' }),
    ]);
    const filter = { ...ALL_FAILURES, subscribers: ['anna@example.com'] };
    expect((await failuresIn(store.db, 'production', ALL_CHECKED, filter)).counts).toEqual({ failed: 2 });
    const affected = await mostAffected(store.db, 1, 9);
    expect(affected).toHaveLength(2);
    expect(affected.map(({ subscriberId }) => subscriberId)).toContain('a•••@example.com');
  });
});

describeStore('a topic, context or tag', (opened) => {
  const long = 'x'.repeat(MOST_ID_BYTES + 1);
  const topics = ['anna@acme.example', long];
  const anna = { topics, contexts: ['tenant:acme', 'user:anna@acme.example'], tags: ['Password=hunter2'] };
  const bob = { contexts: ['tenant:acme', 'user:bob@other.example'], tags: ['password=hunter3'] };
  let store: OpenDb;
  beforeEach(async () => {
    store = opened();
    await configuredWatch(store.db, 'C1', NOON);
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', ...anna }),
      failureOf('a', { eventKey: 'two', ...anna }),
      failureOf('b', { eventKey: 'three', ...bob }),
    ]);
  });

  test('with a contact or a secret is in no row of any table', async () => {
    const rows = `${await storedRows(store.db)}`;
    expect(rows).toContain('tenant:acme');
    expect(rows).toContain('•••@acme.example');
    expect(rows).not.toMatch(/anna|bob|hunter/);
  });

  test('is stored up to its bound', async () => {
    const rows = `${await storedRows(store.db)}`;
    expect(rows).toMatch(/x{9}…/);
    expect(rows).not.toContain(long);
  });

  test('with a contact or a secret is found and watched by the whole', async () => {
    const given = { topics: ['anna@acme.example'], contexts: ['user:anna@acme.example'], tags: ['password=HUNTER2'] };
    const filter = { ...ALL_FAILURES, ...given };
    expect((await failuresIn(store.db, 'production', ALL_CHECKED, filter)).counts).toEqual({ failed: 2 });
    const defaults = { environments: [], timeZone: 'UTC' };
    const settings = parseWatchSettings({ context: ['user:bob@other.example'], tag: ['password=hunter3'] }, defaults);
    await madeWatch(store.db, { channel: 'C2', createdBy: 'U1', settings }, at(0.5));
    const night = await aNight(store);
    night.minutes = 1;
    await night.poll(failureOf('c', { eventKey: 'four', ...anna }), failureOf('d', { eventKey: 'five', ...bob }));
    const digests = night.digests().filter(({ channel }) => channel === 'C2');
    expect(digests.flatMap(({ rows }) => rows.map(({ incident }) => incident.cause.text))).toEqual(['d']);
  });
});
