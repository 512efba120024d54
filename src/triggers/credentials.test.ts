import { expect, test } from 'vitest';
import type { AuditEntry, ChangeOutcome } from '../audit/entry.ts';
import { ServiceError, type ServiceProblem } from '../lib/errors.ts';
import type { HeldCredentials } from '../service/credentials.ts';
import { type CredentialsCommand, updateCredentials } from './credentials.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const SECRET = 'https://hooks.example.com/services/T1/B2/x9y8z7';
const COMMAND: CredentialsCommand = {
  intent: 'intent-1',
  environment: 'production',
  actor: 'U1',
  channel: 'C1',
  subscriberId: 'anna',
  update: { providerId: 'slack', credentials: { webhookUrl: SECRET } },
};
const HELD: HeldCredentials = {
  settings: [{ providerId: 'slack', integrationId: 'i1', integrationIdentifier: null, credentials: [] }],
  isDeleted: false,
  unreadable: 0,
};

function aProcess(answer: () => Promise<HeldCredentials | null>) {
  const entries = new Map<string | null, AuditEntry>();
  const requests: unknown[] = [];
  const lines: unknown[] = [];
  const log = (...line: unknown[]) => void lines.push(line);
  const store = {
    recordChange: async (entry: AuditEntry) =>
      !entries.has(entry.intentId) && entries.set(entry.intentId, entry) !== undefined,
    settleChange: async (intentId: string, outcome: ChangeOutcome) => {
      const entry = entries.get(intentId);
      if (entry !== undefined) entries.set(intentId, { ...entry, outcome });
    },
  };
  const service = {
    updateCredentials: (...asked: unknown[]) => {
      requests.push(asked);
      return answer();
    },
  };
  const logger = { debug: log, info: log, warn: log, error: log };
  const ctx = { serviceOf: () => service, store: { audit: store }, logger, now: () => NOON };
  const ask = () => updateCredentials(ctx, COMMAND);
  return { ask, store, requests, lines, trail: () => [...entries.values()] };
}

function refusing(problem: ServiceProblem, outcomeUnknown = false) {
  return async () => {
    throw new ServiceError('production', 'updateCredentials', problem, { outcomeUnknown });
  };
}

test('sends the confirmed credentials under their intent and returns what the service holds afterwards', async () => {
  const process = aProcess(async () => HELD);
  expect(await process.ask()).toEqual({ is: 'updated', held: HELD });
  expect(process.requests).toEqual([['anna', COMMAND.update, { idempotencyKey: 'intent-1' }, { who: 'person' }]]);
  expect(process.trail()).toEqual([
    {
      at: NOON,
      actor: 'U1',
      channel: 'C1',
      environment: 'production',
      change: { action: 'credentials', subscriberId: 'anna', provider: 'slack' },
      outcome: { is: 'done' },
      intentId: 'intent-1',
    },
  ]);
});

test('sends nothing for a confirmation submitted again, even concurrently', async () => {
  const process = aProcess(async () => HELD);
  const outcomes = await Promise.all([process.ask(), process.ask(), process.ask()]);
  expect(outcomes.map(({ is }) => is).sort()).toEqual(['before', 'before', 'updated']);
  expect(process.requests).toHaveLength(1);
});

test('reports an unknown subscriber and a lost answer', async () => {
  const stranger = aProcess(async () => null);
  expect(await stranger.ask()).toEqual({ is: 'not-found' });
  expect(stranger.trail()).toMatchObject([{ outcome: { is: 'refused', why: 'not-found' } }]);
  const lost = aProcess(refusing({ kind: 'timed-out', afterMs: 10_000 }, true));
  expect(await lost.ask()).toMatchObject({ is: 'unknown' });
  expect(lost.trail()).toMatchObject([{ outcome: { is: 'unknown' } }]);
});

test('throws when nothing was updated for sure, and records the reason in the trail', async () => {
  const problem = {
    kind: 'refused',
    status: 422,
    message: `not ${SECRET}`,
    fields: ['credentials.webhookUrl'],
  } as const;
  const process = aProcess(refusing(problem));
  await expect(process.ask()).rejects.toMatchObject({ problem: { ...problem, message: 'not •••' } });
  expect(process.trail()).toMatchObject([{ outcome: { is: 'refused', why: 'refused' } }]);
});

const QUOTING: readonly [ServiceProblem, outcomeUnknown: boolean][] = [
  [{ kind: 'key-refused', status: 403, message: `no ${SECRET}` }, false],
  [{ kind: 'beyond-plan', message: `no ${SECRET}` }, false],
  [{ kind: 'too-large', message: `no ${SECRET}` }, false],
  [{ kind: 'refused', status: 408, message: `no ${SECRET}`, fields: [] }, true],
];

test.each(QUOTING)('keeps the typed credentials out of the words of %o', async (problem, outcomeUnknown) => {
  const ended: unknown = await aProcess(refusing(problem, outcomeUnknown))
    .ask()
    .catch((error: unknown) => ({ error }));
  expect(ended).toMatchObject({ error: { problem: { ...problem, message: 'no •••' }, outcomeUnknown } });
});

test("returns the outcome even when it can't be recorded", async () => {
  const process = aProcess(async () => HELD);
  process.store.settleChange = async () => {
    throw new Error('the database is away');
  };
  expect(await process.ask()).toMatchObject({ is: 'updated' });
  expect(JSON.stringify(process.lines)).toContain("couldn't be recorded");
});

test.each<[string, () => Promise<null>]>([
  ['is taken', async () => null],
  ['is refused', refusing({ kind: 'refused', status: 400, message: SECRET, fields: [] })],
  ['fails here', () => Promise.reject(new Error('no'))],
])('keeps the typed credentials out of the trail and the log when it %s', async (_, answer) => {
  const process = aProcess(answer);
  await process.ask().catch(() => {});
  expect(JSON.stringify([process.trail(), process.lines])).not.toContain('x9y8z7');
});
