import { beforeEach, describe, expect, test } from 'vitest';
import { heard } from '../lib/logger.testing.ts';
import { aFailedEvent, at } from '../service/event.testing.ts';
import { createPolls } from './check-now.ts';
import { settled } from './model-service.testing.ts';
import { type PollCtx, pollPresent } from './poll.ts';
import { MINUTE, NEVER, PolledEnvironment } from './polling.testing.ts';
import { pollPast } from './read-past.ts';
import type { PollingCtx } from './reading.ts';

const polled = new PolledEnvironment();

describe('the loops of an environment', () => {
  let heldMs: number;
  let happened: string[];
  beforeEach(() => {
    heldMs = 0;
  });

  const note = (_fields: object, sentence: string): void => void happened.push(sentence);
  const looping = (): Omit<PollCtx, keyof PollingCtx> => ({
    polls: createPolls({ wakePoll: async () => {}, sleep: async () => {}, heldForMs: () => 0 }),
    heldForMs: () => heldMs,
    wakePast: async () => void happened.push('past woken'),
    wakeAnnouncing: async () => void happened.push('announcing woken'),
    countRecorded: () => {},
  });

  async function happening(seconds: number, run: (ctx: PollCtx) => Promise<void>): Promise<string[]> {
    polled.now = at(seconds);
    happened = [];
    const logger = { debug: note, info: note, warn: note, error: note };
    await run({ ...polled.ctx({ logger }), ...looping() });
    return happened;
  }
  const pollLoop = (seconds: number) => happening(seconds, (looped) => pollPresent(looped, polled.name, NEVER));
  const pastLoop = (seconds: number) => happening(seconds, (looped) => pollPast(looped, polled.name, MINUTE, NEVER));

  test('a poll wakes announcing however it ends', async () => {
    expect(await pollLoop(0)).toEqual(['Events checked', 'announcing woken']);
    polled.service.problem = { kind: 'unreachable' };
    expect(await pollLoop(60)).toEqual(["Events couldn't be read", 'announcing woken']);
    polled.service.beforePage = () => {
      throw new TypeError('a bug');
    };
    await expect(pollLoop(120)).rejects.toThrow('a bug');
    expect(happened).toEqual(['announcing woken']);
  });

  test('a poll is a detail of the log unless it found something', async () => {
    const { logger, log } = heard();
    const logged = async (seconds: number) => {
      polled.now = at(seconds);
      await pollPresent({ ...polled.ctx({ logger }), ...looping() }, polled.name, NEVER);
      return log.splice(0).map(({ level }) => level);
    };
    expect(await logged(0)).toEqual(['debug']);
    polled.service.events.push(settled({ ...aFailedEvent({ id: 'new' }), createdAt: at(30) }));
    expect(await logged(60)).toEqual(['info']);
  });

  test('a poll that leaves a gap has the past checked at once', async () => {
    await pollLoop(0);
    expect(await pollLoop(3 * 3_600)).toContain('past woken');
  });

  test('present and past leave the service alone for as long as it asks, which is a gap once it lasts for a minute', async () => {
    await pollLoop(0);
    heldMs = 30_000;
    expect([...(await pollLoop(120)), ...(await pastLoop(120))]).toEqual(['announcing woken']);
    await pollLoop(180);
    expect(await polled.gaps()).toHaveLength(1);
  });

  test('present leaves a pause of up to ten seconds to the client, which waits it out', async () => {
    heldMs = 10_000;
    expect(await pollLoop(0)).toContain('Events checked');
  });

  test('the past wakes announcing for new failures only, and does nothing before the present was checked', async () => {
    expect(await pastLoop(0)).toEqual([]);
    await pollLoop(1);
    expect(await pastLoop(90)).toEqual(['Late failures checked']);
    polled.service.events.push(settled({ ...aFailedEvent({ id: 'late' }), createdAt: at(30) }));
    expect(await pastLoop(180)).toEqual(['Late failures checked', 'announcing woken']);
  });
});
