import { describe, expect, test } from 'vitest';
import { aChange } from '../../domain/changes/changes.testing.ts';
import { anEvent } from '../../domain/service/event.testing.ts';
import { anIntegration } from '../../domain/service/integration.testing.ts';
import type { Integration } from '../../domain/service/integration.ts';
import { type IntegrationsStore, readIntegrations } from './read-integrations.ts';

const NOW = new Date('2026-05-04T12:00:00Z');
const [OWN, OTHER] = ['env-production', 'env-other'];
const LISTED = [
  anIntegration({ serviceEnvironmentId: OWN }),
  anIntegration({ name: 'Twilio', serviceEnvironmentId: OTHER }),
];
const silent = { debug() {}, info() {}, warn() {}, error() {} };

type Noted = Parameters<IntegrationsStore['noteIntegrations']>;

async function read(options: {
  listed?: Integration[];
  known?: string | null;
  newest?: string | null;
  unreadable?: number;
}) {
  const { listed = LISTED, known = null, newest = OWN, unreadable = 0 } = options;
  const noted: Noted[] = [];
  const requests: string[] = [];
  const changes = await readIntegrations('production', {
    store: {
      serviceEnvironmentId: async () => known,
      noteIntegrations: async (...args) => {
        noted.push(args);
        return [aChange()];
      },
    },
    service: {
      listIntegrations: async ({ who }) => {
        requests.push(`integrations for ${who}`);
        const reasons = Array.from({ length: unreadable }, () => ({ key: 'odd', createdAt: null, reason: 'odd' }));
        return { items: listed, unreadable: reasons, hasMore: false };
      },
      listEvents: async () => {
        requests.push('events');
        const id = newest === 'unnamed' ? null : newest;
        const items = newest === null ? [] : [anEvent({ serviceEnvironmentId: id })];
        return { items, unreadable: [], hasMore: false };
      },
    },
    logger: silent,
    now: () => NOW,
    signal: new AbortController().signal,
  });
  return { changes, requests, noted: noted.map(([, reading]) => reading) };
}

describe('reading integrations', () => {
  test("returns the environment's integrations in one request if its ID is known", async () => {
    const { requests, noted, changes } = await read({ known: OWN });
    expect(requests).toEqual(['integrations for poller']);
    expect(noted).toMatchObject([{ serviceEnvironmentId: OWN, isWhole: true, integrations: [{ name: 'SendGrid' }] }]);
    expect(changes).toHaveLength(1);
  });

  test("takes the environment's ID from the newest event, and again if the known ID is gone", async () => {
    expect((await read({})).requests).toEqual(['integrations for poller', 'events']);
    expect((await read({ known: 'gone' })).noted[0]?.serviceEnvironmentId).toBe(OWN);
  });

  test('needs no ID if there is only one environment', async () => {
    expect((await read({ listed: LISTED.slice(0, 1), newest: null })).noted).toHaveLength(1);
  });

  test("doesn't take another environment's for its own where it has none", async () => {
    const { noted } = await read({ listed: LISTED.slice(1, 2) });
    expect(noted).toMatchObject([{ serviceEnvironmentId: OWN, integrations: [] }]);
  });

  test("compares nothing while the environment's ID is unknown", async () => {
    expect(await read({ newest: null })).toMatchObject({ changes: [], noted: [] });
    expect(await read({ newest: 'unnamed' })).toMatchObject({ changes: [], noted: [] });
    expect(await read({ listed: [] })).toMatchObject({ noted: [] });
  });

  test("reports when part of the list couldn't be read", async () => {
    expect((await read({ known: OWN, unreadable: 1 })).noted[0]?.isWhole).toBe(false);
  });
});
