import { expect, test } from 'vitest';
import { silent } from '../lib/logger.testing.ts';
import { aService } from '../service/client.testing.ts';
import { anEvent } from '../service/event.testing.ts';
import { anIntegration } from '../service/lists.testing.ts';
import type { Integration } from '../service/lists.ts';
import { at, NOON } from '../store/examples.testing.ts';
import { describeStore } from '../store/store.testing.ts';
import { noteIntegrations, readIntegrations } from './integrations.ts';
import { lastSnapshot, stateOf } from './snapshots.ts';

const [OWN, OTHER] = ['env-production', 'env-other'];
const SENDGRID = anIntegration({ serviceEnvironmentId: OWN });
const TWILIO = anIntegration({ id: 'integration-2', name: 'Twilio', serviceEnvironmentId: OTHER });

describeStore('reading integrations', (store) => {
  /** Reads the integrations again after a reading that had `before`, and from which the ID is `known`. */
  async function read(options: {
    listed?: Integration[];
    known?: string;
    before?: Integration[];
    newest?: string | null;
    unreadable?: number;
  }) {
    const { listed = [SENDGRID, TWILIO], known, before = [], newest = OWN, unreadable = 0 } = options;
    const db = store().db;
    if (known !== undefined) {
      const snapshot = { serviceEnvironmentId: known, integrations: before.map(stateOf), isWhole: true };
      const earlier = { from: at(-5), to: at(-5) };
      await db.transaction((sql) => noteIntegrations(sql, 'production', snapshot, earlier));
    }
    const requests: string[] = [];
    const service = aService({
      listIntegrations: async ({ who }) => {
        requests.push(`integrations for ${who}`);
        const odd = Array.from({ length: unreadable }, () => ({ key: 'odd', createdAt: null, wrong: 'odd' }));
        return { items: listed, unreadable: odd, hasMore: false };
      },
      listEvents: async () => {
        requests.push('events');
        const id = newest === 'unnamed' ? null : newest;
        const items = newest === null ? [] : [anEvent({ serviceEnvironmentId: id })];
        return { items, unreadable: [], hasMore: false };
      },
    });
    const ctx = { db, serviceOf: () => service, logger: silent, now: () => NOON };
    const changes = await readIntegrations(ctx, 'production', new AbortController().signal);
    const words = changes.map(({ what }) => `${what.name}: ${'aspects' in what ? what.aspects : ''}`);
    return { changes: words, requests, id: (await lastSnapshot(db, 'production'))?.serviceEnvironmentId ?? null };
  }

  test("compares the environment's integrations, in one request if its ID is known", async () => {
    expect(await read({ known: OWN })).toEqual({
      requests: ['integrations for poller'],
      changes: ['SendGrid: added'],
      id: OWN,
    });
  });

  test("takes the environment's ID from the newest event", async () => {
    expect(await read({})).toMatchObject({ requests: ['integrations for poller', 'events'], id: OWN });
  });

  test("takes the environment's ID from the newest event again if the known ID is gone", async () => {
    expect((await read({ known: 'gone' })).id).toBe(OWN);
  });

  test('needs no ID if there is only one environment', async () => {
    expect((await read({ listed: [SENDGRID], newest: null })).id).toBe(OWN);
  });

  test.each([[[TWILIO]], [[]]])('notices that the last one was removed, beside those of others: %#', async (listed) => {
    const removed = { id: OWN, changes: ['SendGrid: removed'] };
    expect(await read({ listed, known: OWN, before: [SENDGRID] })).toMatchObject(removed);
  });

  test("doesn't take the key of another environment, which has no integrations, for the removal of all", async () => {
    const unchanged = { id: OWN, changes: [] };
    expect(await read({ listed: [], known: OWN, before: [SENDGRID], newest: OTHER })).toMatchObject(unchanged);
    expect(await read({ listed: [], known: OWN, before: [SENDGRID], newest: null })).toMatchObject(unchanged);
  });

  test.each([{ newest: null }, { newest: 'unnamed' }, { listed: [] }])(
    "compares nothing while the environment's ID is unknown: %j",
    async (options) => {
      expect(await read(options)).toMatchObject({ changes: [], id: null });
    },
  );

  test('keeps what could not be read, and compares it with the next whole reading', async () => {
    const list = (listed: readonly Integration[], isWhole: boolean, minute: number) => {
      const snapshot = { serviceEnvironmentId: OWN, integrations: listed.map(stateOf), isWhole };
      const range = { from: at(minute), to: at(minute) };
      return store().db.transaction((tx) => noteIntegrations(tx, 'production', snapshot, range));
    };
    const ses = anIntegration({ id: 'integration-3', name: 'SES', serviceEnvironmentId: OWN });
    await list([SENDGRID, ses], true, 0);
    expect(await list([SENDGRID], false, 1)).toEqual([]);
    expect(await list([SENDGRID, ses], true, 2)).toEqual([]);
    expect(await list([SENDGRID], false, 3)).toEqual([]);
    expect(await list([SENDGRID], true, 4)).toMatchObject([{ what: { name: 'SES', aspects: ['removed'] } }]);
  });

  test('takes a missing one for removed only if all of the list could be read', async () => {
    const ses = anIntegration({ id: 'integration-3', name: 'SES', serviceEnvironmentId: OWN });
    const seen = { known: OWN, before: [SENDGRID, ses], listed: [ses] };
    expect((await read({ ...seen, unreadable: 1 })).changes).toEqual([]);
  });
});
