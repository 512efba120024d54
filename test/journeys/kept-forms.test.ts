import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

/** A hundred rows, which fill a field nearly. */
const ROWS = Array.from({ length: 100 }, (_, row) => `user-${row} {"resetLink": "r"}`).join('\n');

describe('a form with a hundred rows', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ database: 'embedded' });
  });
  afterAll(() => world.close());

  const opens = async () => {
    await world.ann.types('/notif trigger password-reset');
    return world.ann.seesModal('Send a test');
  };

  it('gives them back after it was closed, and after a restart', async () => {
    const { ann } = world;
    await opens();
    await ann.fillsIn({ Subscribers: ROWS });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview · 100 events');
    await ann.closesAll();
    await world.stop();
    await world.start();
    const offered = await opens();
    expect(offered.words).toContain("didn't send it. Restore what you typed?");
    await ann.clicks('Restore', offered);
    await ann.seesModal('Subscribers');
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Preview · 100 events');
    await ann.closesAll();
  });
});
