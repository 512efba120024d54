import { beforeAll, describe, expect, inject, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { type BotHere, startBotHere } from '../support/bot.ts';
import { BotLog } from '../support/bot-log.ts';
import { createClock } from '../support/clock.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { newStorePlace, openWorldAsleep, sharedWorld } from '../support/world.ts';

const TWO_MINUTES = 120_000;

describe("with another Notif on its app's tokens, which has a #1 of its own,", () => {
  const world = sharedWorld(() => openWorldAsleep());
  const log = new BotLog();
  const clock = createClock();
  let other: BotHere;
  const row = (channel = ONCALL) => world.ann.sees('Example', channel);

  beforeAll(async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.start();
    await world.ann.opens('Add a note…', await row(), 'what helped');
    const place = await newStorePlace(inject('database'));
    const variables = { ...world.variables, ...place.variables, NOTIF_DIGEST_CHANNEL: GENERAL };
    other = await startBotHere({ variables, log, clock });
    await log.until('Slack counted the connections of its app', 2);
    return place.remove;
  });

  test('status names it once the number of connections has stayed too high for some minutes', async () => {
    await row(GENERAL);
    for (const hellos of [3, 4]) {
      clock.passes(TWO_MINUTES);
      await log.until('Slack counted the connections of its app', hellos);
    }
    await world.stop();
    const { words } = await world.ann.asks('/notif status', ONCALL);
    expect(words).toContain('Slack counts 4 connections of this app, and Notif has 2: another Notif uses its tokens');
  });

  test('what is pressed or submitted at the wrong one is refused in words, and taken by its own', async () => {
    const { ann } = world;
    await ann.fillsIn({ Note: 'key rotated' });
    expect(await ann.submits()).toEqual([expect.stringContaining('This is from another Notif that uses the same')]);
    await ann.clicks('Acknowledge', await row());
    await ann.gets('This is from another Notif that uses the same Slack app', ONCALL);
    await other.stop();
    await world.start();
    expect(await ann.submits()).toEqual([]);
    await ann.gets('📝 Note added to #1', ONCALL);
    await ann.clicks('Acknowledge', await row());
    await ann.gets('Acknowledged #1', ONCALL);
    expect((await row(GENERAL)).words).not.toContain('👀');
  });
});
