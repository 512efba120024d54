import { expect, test } from 'vitest';
import { at } from '../../domain/service/event.testing.ts';
import { aWatch } from '../../domain/watches/watch.testing.ts';
import { type MuteWatchesParts, muteWatches } from './mute-watches.ts';

const WATCH = aWatch();

test('a mute of several watches ends at once, however long storing each takes', async () => {
  let seconds = 0;
  const parts: MuteWatchesParts = {
    store: {
      watches: async () => [WATCH, { ...WATCH, id: 'watch-2', number: 2 }],
      mute: async (_watch, _group, { by, until }, now) => ({ by, from: now, until, isRepeat: false }),
      unmute: async () => true,
    },
    workspace: { person: async () => ({ timeZone: null }) },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => at(seconds++),
  };
  const muted = await muteWatches(
    { channel: 'C0ONCALL', number: null, by: 'U1' },
    { end: 'after', ms: 3_600_000 },
    parts,
  );
  expect(muted).toHaveLength(2);
  expect(new Set(muted.map(({ mute }) => mute.until.getTime())).size).toBe(1);
});

test("a mute until a time of day ends by the clock of the person who mutes, or the watch's if Slack gives no time zone", async () => {
  const until = async (timeZone: string | null) => {
    const parts: MuteWatchesParts = {
      store: {
        watches: async () => [WATCH],
        mute: async (_watch, _group, { by, until }, now) => ({ by, from: now, until, isRepeat: false }),
        unmute: async () => true,
      },
      workspace: { person: async () => ({ timeZone }) },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      now: () => at(0),
    };
    const all = { channel: 'C0ONCALL', number: null, by: 'U1' };
    const muted = await muteWatches(all, { end: 'at', minutes: 14 * 60 }, parts);
    return muted.map(({ mute }) => mute.until.toISOString().slice(11, 16));
  };
  expect([await until('Asia/Tokyo'), await until(null)]).toEqual([['05:00'], ['14:00']]);
});
