import { expect, it } from 'vitest';
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

const store: HandoverStore = {
  openGroups: async () => ({ groups: [], offset: 0, counts: [{ environment: 'production', failing: 1, quiet: 2 }] }),
  incidentsOver: async () => ({ ...none, opened: 4 }),
  endingMutes: async ({ to }) => ({
    items: [
      { channel: 'C0PUBLIC', muted: { watches: 1 }, by: 'U0ANN', until: to },
      { channel: 'C0PRIVATE', muted: { watches: 1 }, by: 'U0ANN', until: to },
    ],
    more: 0,
  }),
  changesSince: async () => ({ changes: [], hasOlder: false, compared: [{ environment: 'production' }] }),
  testsWithin: async () => none,
  gapsIn: async () => [gap(1), gap(30)],
  coverage: async (environment) => (environment === 'production' ? { to: hours(0) } : null),
};
const parts = { store, now: () => NOW, channels: { isPublic: async (channel: string) => channel === 'C0PUBLIC' } };

it('names no private channel, leaves short gaps out, and says until when each environment was checked', async () => {
  const handover = await writeHandover(['production', 'staging'], hours(-8), parts);
  expect(handover.mutes.items.map(({ channel }) => channel)).toEqual(['C0PUBLIC', null]);
  expect(handover.environments.map(({ name, checkedTo, gaps }) => [name, checkedTo, gaps.map(({ id }) => id)])).toEqual(
    [
      ['production', hours(0), ['gap-30']],
      ['staging', null, ['gap-30']],
    ],
  );
  expect(handover).toMatchObject({ opened: 4, open: { items: [], more: 3 }, changes: { unknown: ['staging'] } });
});

it.each([
  [8, 8],
  [1, 8],
  [24, 24],
])('over the last %s h lists the mutes that end within %s h', async (since, until) => {
  expect((await writeHandover(['production'], hours(-since), parts)).mutesTo).toEqual(hours(until));
});
