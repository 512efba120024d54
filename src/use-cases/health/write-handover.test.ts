import { expect, test } from 'vitest';
import type { Gap } from '../../domain/polling/gap.ts';
import { type HandoverStore, writeHandover } from './write-handover.ts';

const NOW = new Date('2026-03-04T12:00:00.000Z');
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000);
const none = { items: [], more: 0 };

function gap(minutes: number): Gap {
  const to = new Date(NOW.getTime() - 60_000);
  const from = new Date(to.getTime() - minutes * 60_000);
  const closed = { openedAt: from, closedAt: to, unchecked: [], givenUp: [], events: 1, failures: 0 };
  return { id: `gap-${minutes}`, environment: 'production', from, to, cause: 'not-running', ...closed };
}

function shortGap([from, to]: readonly [number, number]): Gap {
  const unchecked = [{ from: hours(from), to: hours(to) }];
  return { ...gap(1), from: hours(from), to: hours(to), openedAt: hours(-1 / 60), closedAt: null, unchecked };
}

const store: HandoverStore = {
  openByOwner: async () => ({ items: [], more: 3, unowned: 2 }),
  incidentsOver: async () => none,
  endingMutes: async (_environments, { to }) => ({
    items: [
      { channel: 'C0PUBLIC', muted: { watches: 1 }, by: 'U0ANN', until: to },
      { channel: 'C0PRIVATE', muted: { watches: 1 }, by: 'U0ANN', until: to },
    ],
    more: 0,
  }),
  gapsIn: async () => [gap(1), gap(30)],
  coverage: async (environment) => (environment === 'production' ? { from: hours(-48), to: hours(0) } : null),
};
const parts = { store, now: () => NOW, channels: { isPublic: async (channel: string) => channel === 'C0PUBLIC' } };

test('names no private channel, leaves short gaps out, and says until when each environment was checked', async () => {
  const handover = await writeHandover(['production', 'staging'], hours(-8), parts);
  expect(handover.mutes.items.map(({ channel }) => channel)).toEqual(['C0PUBLIC', null]);
  expect(handover.environments.map(({ name, checkedTo, gaps }) => [name, checkedTo, gaps.map(({ id }) => id)])).toEqual(
    [
      ['production', hours(0), ['gap-30']],
      ['staging', null, ['gap-30']],
    ],
  );
  expect(handover.open).toEqual({ items: [], more: 3, unowned: 2 });
});

test.each([
  ['that ended with a poll a minute ago', [-48, -1 / 60], [], []],
  ['after the last poll', [-48, -3], [], [[-3, 0]]],
  ["before the first poll's hour", [-1, 0], [], [[-8, -1]]],
  ['before any poll', null, [], [[-8, 0]]],
  ['in a gap that is too short to be listed', [-48, 0], [shortGap([-1, -0.99])], [[-1, -0.99]]],
  ['in a gap that goes on and is listed', [-48, -3], [{ ...gap(30), from: hours(-3), to: null, closedAt: null }], []],
] as const)('names the time %s as unchecked, beside the gaps', async (_which, covered, gaps, expected) => {
  const coverage = covered === null ? null : { from: hours(covered[0]), to: hours(covered[1]) };
  const own = { ...store, gapsIn: async () => [...gaps], coverage: async () => coverage };
  const { environments } = await writeHandover(['production'], hours(-8), { ...parts, store: own });
  expect(environments[0]?.unchecked).toEqual(expected.map(([from, to]) => ({ from: hours(from), to: hours(to) })));
});

test.each([
  [8, 8],
  [1, 8],
  [24, 24],
])('over the last %s h lists the mutes that end within %s h', async (since, until) => {
  expect((await writeHandover(['production'], hours(-since), parts)).mutesTo).toEqual(hours(until));
});
