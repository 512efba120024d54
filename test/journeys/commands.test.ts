import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { formatUtc } from '../../src/lib/time/time-range.ts';
import { clockTime } from '../../src/lib/time/wall-clock.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('commands with two environments', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'], variables: POLLS_ONCE });
    await world.ann.types('/notif watch env:production');
    await world.ann.sees('created a watch here');
    await world.ann.types('/notif watch env:staging');
    await world.ann.sees('environment staging');
    world.service.world.plantEvent(failed('push', { subscriber: 'bee' }));
    await world.ann.asks('/notif failures');
    await world.ann.sees('Push');
  });
  afterAll(() => world.close());

  test.each([
    ['watches', 'takes no filters'],
    ['mute 2h', "/notif mute can't filter by env:. It takes until:."],
  ])('refuse env: in /notif %s, whose answer would be about all environments', async (line, why) => {
    const answer = await world.ann.asks(`/notif ${line} env:staging`);
    expect(answer.words).toContain(why);
  });

  test('list their filters in the help of one, each with an example', async () => {
    const { words } = await world.ann.asks('/notif help topic');
    expect(words).toContain('Filters: subscriber:user-0042 · sort:oldest · env:staging');
    expect(words).toContain('e.g. /notif topic');
    expect((await world.ann.asks('/notif help status')).words).not.toContain('Filters:');
    expect((await world.ann.asks('/notif help')).words).not.toContain('Filters:');
  });

  test('note a deploy in the environment that /notif deployed names', async () => {
    expect((await world.ann.asks('/notif deployed checkout 2.3 env:staging')).words).toContain(
      'staging: checkout 2.3.',
    );
  });

  test('take free text whatever invisible character was pasted before', async () => {
    const { words } = await world.ann.asks('/notif \ufeffDEPLOYED checkout: 3');
    expect(words).toContain('Deploy recorded in production: checkout: 3');
  });

  test.each(['failures', 'handover'])(
    'take a time of day in /notif %s as one of the person who asks',
    async (command) => {
      const asked = new Date(Date.now() - 20 * 60_000);
      const { words } = await world.ann.asks(`/notif ${command} since:${clockTime(asked, 'Europe/Berlin')}`);
      expect(words).toMatch(command === 'failures' ? /in the last 2[01] min/ : formatUtc(asked));
    },
  );
});
