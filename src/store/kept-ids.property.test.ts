import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createSeal } from '../domain/access/seal.ts';
import { ALL_FAILURES, type FailureFilter } from '../domain/failures/failure-filter.ts';
import { aContact, type ContactId, reveals } from '../domain/text/contact-ids.testing.ts';
import { createKeepId } from '../domain/text/kept-id.ts';
import { scrub } from '../domain/text/scrub.ts';
import { maskedId } from '../domain/text/shown-id.ts';
import { parseWatchSettings } from '../domain/watches/watch-settings.ts';
import { announceFailures } from '../use-cases/alerting/announce-failures.ts';
import { affectedCsv } from '../use-cases/incidents/list-episode.ts';
import type { TriggerIntent } from '../use-cases/triggers/trigger-events.ts';
import { digestNow } from './deliveries/deliveries.testing.ts';
import { ALL_TIME, at, failure, failureOf, NOON, recordFailures } from './examples.testing.ts';
import { withKeptIds } from './kept-ids.ts';
import { describeStore, silent } from './store.testing.ts';
import type { Store } from './store.ts';

const keepId = createKeepId('xoxb-secret');

describeStore('a subscriber id that is a contact', (opened) => {
  let store: Store;
  beforeEach(() => {
    store = withKeptIds(opened(), { keepId, seal: createSeal('xoxb-secret') });
  });
  const watch = (subscriber: readonly string[]) => {
    const defaults = { environments: [], usualEnvironments: [], timeZone: 'UTC', keepId };
    const settings = parseWatchSettings({ subscriber }, defaults);
    return store.watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings }, NOON);
  };

  test('is in no row of any table, in any spelling', async () => {
    const contacts = fc.sample(aContact(), { numRuns: 60, seed: 7 });
    await store.watches.ensureWatch('C1', NOON);
    await recordFailures(
      store,
      NOON,
      contacts.map((contact, index) => failure({ eventKey: `event-${index}`, subscriberId: contact.id })),
    );
    await watch(contacts.slice(0, 20).map(({ id }) => id));
    await store.triggers.claimIntent(intentFor(contacts.map(({ id }) => id)), {
      at: NOON,
      actor: 'U1',
      channel: 'C1',
      environment: 'production',
      change: { action: 'trigger', workflow: 'order-shipped', recipients: contacts.length },
      outcome: { is: 'begun' },
      intentId: 'intent-1',
    });
    const rows = await everyRow(store);
    expect(rows).toContain('event-59');
    expect(contacts.filter((contact) => reveals(rows, contact))).toEqual([]);

    const intent = intentFor(contacts.map(({ id }) => id));
    expect(await store.triggers.keptTrigger('intent-1')).toMatchObject({ intent });
    expect(await store.triggers.unfinishedIntents(at(-1))).toMatchObject([{ intent }]);
  });

  test('is found by its whole ID, and by no other ID with the same mask', async () => {
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'two', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'three', subscriberId: 'alma@example.com' }),
    ]);
    const found = (id: string) =>
      store.polling.failuresIn('production', ALL_TIME, ALL_TIME, { ...ALL_FAILURES, subscribers: [id] });
    expect((await found('anna@example.com')).counts).toEqual({ failed: 2 });
    expect((await found('alma@example.com')).counts).toEqual({ failed: 1 });
    expect((await found('a•••@example.com')).counts).toEqual({});
    const listed = async (id: string) => {
      const asked = { environment: 'production', since: at(-1), olderThan: null, limit: 9 };
      const query = { ...asked, filter: { ...ALL_FAILURES, subscribers: [id] } };
      return (await store.incidents.history(query, NOON)).incidents.length;
    };
    expect([await listed('anna@example.com'), await listed('a•••@example.com')]).toEqual([1, 0]);
  });

  test('is watched by its whole ID, and no other ID with the same mask', async () => {
    await watch(['anna@example.com']);
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'two', subscriberId: 'alma@example.com' }),
      failureOf('b', { eventKey: 'three', subscriberId: 'alma@example.com' }),
    ]);
    const parts = { store: store.alerting, logger: silent, now: () => at(1) };
    const [digestId] = await announceFailures('production', parts);
    const { rows } = await digestNow(store, digestId ?? '');
    expect(rows.map(({ tally }) => [tally.group.cause.text, tally.failures])).toEqual([['a', 1]]);
  });

  test('counts once per person, and is listed masked, in pages and in the file', async () => {
    await store.watches.ensureWatch('C1', NOON);
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'two', subscriberId: 'alma@example.com' }),
      failureOf('a', { eventKey: 'three', subscriberId: 'anna@example.com' }),
      failureOf('a', { eventKey: 'four', subscriberId: 'user-1' }),
    ]);
    const episodeId = await announcedEpisode(store);
    const all = await store.incidents.affected(episodeId, { after: null, offset: 0, limit: 10 });
    expect(
      all.map(({ subscriberId, failures }) => [subscriberId.replace(/ #[a-p]{12}$/, ''), failures]).sort(),
    ).toEqual([
      ['a•••@example.com', 1],
      ['a•••@example.com', 2],
      ['user-1', 1],
    ]);
    let file = '';
    for await (const line of affectedCsv(episodeId, store.incidents)) file += line;
    expect(file.match(/a•••@example\.com/g)).toHaveLength(2);
    const { groups } = await store.polling.failuresIn('production', ALL_TIME, ALL_TIME, ALL_FAILURES);
    expect(groups.map(({ subscribers }) => subscribers)).toEqual([3]);
  });
});

describeStore('a context or tag with a contact or a secret', (opened) => {
  const anna = { contexts: ['tenant:acme', 'user:anna@acme.example'], tags: ['Password=hunter2'] };
  const bob = { contexts: ['tenant:acme', 'user:bob@acme.example'], tags: ['password=hunter3'] };
  let store: Store;
  beforeEach(async () => {
    store = withKeptIds(opened(), { keepId, seal: createSeal('xoxb-secret') });
    await store.watches.ensureWatch('C1', NOON);
    await recordFailures(store, NOON, [
      failureOf('a', { eventKey: 'one', ...anna }),
      failureOf('a', { eventKey: 'two', ...anna }),
      failureOf('b', { eventKey: 'three', ...bob }),
    ]);
  });

  test('is in no row of any table', async () => {
    const rows = await everyRow(store);
    expect(rows).toContain('tenant:acme');
    expect(rows).toContain('•••@acme.example');
    expect(rows).not.toMatch(/anna|bob|hunter/);
  });

  test('is found by the whole, and by no other with the same mask', async () => {
    const found = async (filter: Partial<FailureFilter>) =>
      (await store.polling.failuresIn('production', ALL_TIME, ALL_TIME, { ...ALL_FAILURES, ...filter })).counts;
    expect(await found({ contexts: ['user:anna@acme.example'] })).toEqual({ failed: 2 });
    expect(await found({ contexts: ['user:bob@acme.example'] })).toEqual({ failed: 1 });
    expect(await found({ contexts: ['user:eve@acme.example'] })).toEqual({});
    expect(await found({ contexts: ['•••@acme.example'] })).toEqual({});
    expect(await found({ contexts: ['tenant:acme'] })).toEqual({ failed: 3 });
    expect(await found({ tags: ['password=HUNTER2'] })).toEqual({ failed: 2 });
    expect(await found({ tags: ['password=hunter4'] })).toEqual({});
  });

  test('is watched by the whole, and no other with the same mask', async () => {
    const defaults = { environments: [], usualEnvironments: [], timeZone: 'UTC', keepId };
    const settings = parseWatchSettings({ context: ['user:bob@acme.example'], tag: ['password=hunter3'] }, defaults);
    await store.watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings }, NOON);
    await recordFailures(store, at(1), [
      failureOf('c', { eventKey: 'four', ...anna }),
      failureOf('d', { eventKey: 'five', ...bob }),
    ]);
    const parts = { store: store.alerting, logger: silent, now: () => at(2) };
    const digests = await Promise.all((await announceFailures('production', parts)).map((id) => digestNow(store, id)));
    const alerted = digests.map(({ rows }) => rows.map(({ tally }) => tally.group.cause.text));
    expect(alerted).toContainEqual(['d']);
  });
});

test('keeps labels without contacts and secrets, and returns a kept one unchanged', () => {
  const name = fc.constantFrom('user:', 'token:', 'tenant:', 'password="', '{"key":"', '', 'x'.repeat(90));
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('•••', '• #abcdefghijkl', '…', '\u200b', ' '),
  );
  const label = fc
    .tuple(
      name,
      fc.oneof(
        value,
        aContact().map(({ id }) => id),
      ),
      value,
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(label, label, (one, other) => {
      const kept = keepId.label(one);
      expect(keepId.label(kept)).toBe(kept);
      expect(kept === keepId.label(other)).toBe(one === other || kept === other);
      expect(scrub(kept.replace(/ #[a-p]{12}$/, ''))).toBe(kept.replace(/ #[a-p]{12}$/, ''));
    }),
    { numRuns: 500 },
  );
  expect(keepId.label('tenant:acme')).toBe('tenant:acme');
  expect(keepId.label('token:abc #abcdefghijkl')).not.toContain('abc #abcdefghijkl');
  expect(Buffer.byteLength(keepId.label(`password:hunter2 ${'ж'.repeat(2_000)}`))).toBeLessThan(512);
});

test('keeps contacts masked and distinct, other IDs unchanged, and shows stored IDs unchanged', () => {
  fc.assert(
    fc.property(aContact(), aContact(), (one: ContactId, other: ContactId) => {
      const kept = keepId(one.id);
      expect(reveals(kept, one)).toBe(false);
      expect(maskedId(kept)).toBe(kept);
      expect(keepId(kept)).toBe(kept);
      expect(kept === keepId(other.id)).toBe(one.id === other.id);
      expect(createKeepId('xoxb-other')(one.id)).not.toBe(kept);
    }),
  );
  expect(keepId('user-0042')).toBe('user-0042');
});

function intentFor(ids: readonly string[]): TriggerIntent {
  const recipients = ids.map((subscriberId, index) => ({ subscriberId, transactionId: `transaction-${index}` }));
  return { id: 'intent-1', environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients };
}

async function announcedEpisode(store: Store): Promise<number> {
  const [digestId] = await store.alerting.announce(
    'production',
    ({ candidates }) => ({
      message: {
        rows: candidates.map(({ episodeId }) => ({
          episodeId,
          reason: 'new',
          failures: 1,
          relapses: 0,
          critical: false,
          missed: null,
        })),
        mention: null,
        heldBack: null,
      },
      held: [],
    }),
    at(1),
  );
  const [row] = (await digestNow(store, digestId ?? '')).rows;
  return row?.episodeId ?? 0;
}

const Tables = z.array(z.object({ table_name: z.string() }));

async function everyRow(store: Store): Promise<string> {
  const tables = await store.executeSql(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  let rows = '';
  for (const { table_name } of Tables.parse(tables.rows)) {
    rows += JSON.stringify((await store.executeSql(`SELECT * FROM "${table_name}"`)).rows);
  }
  return rows;
}
