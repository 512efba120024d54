import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../sandbox/service/random.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { changedBefore, type EnvironmentChange } from './change.ts';
import { compareReadings, type IntegrationState } from './readings.ts';

const READ_EVERY_MS = 2 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BEGIN = Date.parse('2026-03-04T00:00:00.000Z');

const PLACES = [
  ['email', 'sendgrid'],
  ['email', 'ses'],
  ['sms', 'twilio'],
  ['push', 'fcm'],
  ['chat', 'slack'],
] as const;

interface Edit {
  readonly at: number;
  readonly of: number;
  readonly make: (was: IntegrationState) => IntegrationState;
}

const EDITS: readonly [Edit['make'], ...Edit['make'][]] = [
  (was) => ({ ...was, active: !was.active }),
  (was) => ({ ...was, primary: !was.primary }),
  (was) => ({ ...was, inboundWebhook: !was.inboundWebhook }),
  (was) => ({ ...was, conditions: was.conditions === null ? ['payload.plan'] : null }),
];

const RENAMED: Edit['make'] = (was) => ({ ...was, name: `${was.name} EU` });

function noticed(edits: readonly Edit[]): EnvironmentChange[] {
  let now = PLACES.map(
    ([channel, provider], n): IntegrationState => ({
      ...{ key: `${n}`, name: provider, channel, provider, active: true, primary: n !== 1 },
      ...{ deleted: false, conditions: null, inboundWebhook: false },
    }),
  );
  let known: readonly IntegrationState[] = now;
  const changes: EnvironmentChange[] = [];
  for (let at = BEGIN; at < BEGIN + DAY_MS; at += READ_EVERY_MS) {
    for (const edit of edits) {
      if (edit.at > at - READ_EVERY_MS && edit.at <= at) {
        now = now.map((one, n) => (n === edit.of ? edit.make(one) : one));
      }
    }
    const { changes: found, integrations } = compareReadings(known, { integrations: now, isWhole: true });
    known = integrations;
    for (const what of found) {
      const id = changes.length;
      changes.push({ id, environment: 'production', at: new Date(at), after: new Date(at - READ_EVERY_MS), what });
    }
  }
  return changes;
}

function everyday(random: Random, own: number, incidentAt: number): Edit[] {
  const edits = Array.from({ length: 20 }, (): Edit => {
    const of = (own + random.between(1, PLACES.length - 1)) % PLACES.length;
    return { at: BEGIN + random.between(0, DAY_MS), of, make: random.pick([RENAMED, ...EDITS]) };
  });
  const longBefore = incidentAt - random.between(33, 120) * MINUTE_MS;
  const renamedAt = incidentAt - random.between(0, 30) * MINUTE_MS;
  const itsOwn = [
    { at: longBefore, make: EDITS[0] },
    { at: renamedAt, make: RENAMED },
  ];
  return [...edits, ...itsOwn.map((edit) => ({ ...edit, of: own }))];
}

function namedFor(seed: number, isPlanted: boolean): EnvironmentChange | null {
  const random = createRandom(seed);
  const own = random.between(0, PLACES.length - 1);
  const [channel, provider] = PLACES[own] ?? PLACES[0];
  const incidentAt = BEGIN + random.between(3 * 60, 20 * 60) * MINUTE_MS;
  const planted: Edit = {
    at: incidentAt - random.between(0, 27 * 60) * 1_000,
    of: own,
    make: random.pick(EDITS),
  };
  const edits = [...everyday(random, own, incidentAt), ...(isPlanted ? [planted] : [])].sort((a, b) => a.at - b.at);
  const incident = { channel, provider, workflow: null, firstFailureAt: new Date(incidentAt) };
  return changedBefore(noticed(edits), incident);
}

const SEEDS = Array.from({ length: 100 }, (_, n) => n + 1);

test("of 100 incidents after an edit of their provider's integration, each names that edit", () => {
  const unnamed = SEEDS.filter((seed) => {
    const what = namedFor(seed, true)?.what;
    const [channel, provider] = PLACES[createRandom(seed).between(0, PLACES.length - 1)] ?? PLACES[0];
    return what?.kind !== 'integration' || what.channel !== channel || what.provider !== provider;
  });
  expect(unnamed).toEqual([]);
});

test('of 100 incidents without such an edit, none names a change', () => {
  expect(SEEDS.filter((seed) => namedFor(seed, false) !== null)).toEqual([]);
});
