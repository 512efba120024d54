import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { type Onlookers, openOnlookers } from './onlookers.ts';
import { TELEPHONE } from './screen.ts';

const MINUTE = 60_000;
const HOUR = 60 * 60_000;
const LONG_NAME = 'everybody-who-reads-the-weekly-newsletter';

describe('an outage, seen by people with the page open', () => {
  let onlookers: Onlookers;
  beforeAll(async () => {
    onlookers = await openOnlookers(ONCALL);
    await onlookers.world.log.until('Events checked');
    for (let n = 1; n <= 5; n++)
      onlookers.world.service.world.plantEvent(failed('email', { subscriber: `user-${n}`, topics: [LONG_NAME] }));
  });
  afterEach(() => onlookers.findNothingWrong());
  afterAll(() => onlookers.close());

  const eventsChecked = () => {
    const counts = onlookers.world.log.saying('Events checked').map(({ newEvents }) => Number(newEvents ?? 0));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const digest = () => onlookers.ann.message('· order-shipped ·');

  test("is acknowledged by its row's button, which everybody sees at once", async () => {
    const { ann, ben } = onlookers;
    await digest().getByRole('button', { name: 'Acknowledge' }).click();
    await ann.reads('Acknowledged #1.');
    await ben.message('production').getByText('👀 @ann').waitFor();
  });

  test('shows whom it hit, in a table that keeps words whole on a telephone', async () => {
    const { ann } = onlookers;
    await digest().getByRole('button', { name: 'More options' }).click();
    await ann.page.getByRole('menuitem', { name: 'View events' }).click();
    const events = await ann.reads('5 failures · ');
    await events.getByRole('button', { name: 'View affected' }).click();
    const heading = ann.page.getByRole('columnheader', { name: 'Failures' });
    const tall = async () => (await heading.boundingBox())?.height;
    const onDesk = await tall();
    await ann.page.setViewportSize(TELEPHONE);
    expect(await tall()).toBe(onDesk);
    expect(await ann.tooWideForATelephone()).toEqual([]);
  });

  test('is over when the provider works again, and an hour later its row says so', async () => {
    const { ben, world } = onlookers;
    world.passes(2 * MINUTE);
    for (let n = 0; n < 10; n++) world.service.world.plantEvent(delivered({ subscriber: 'user-6' }));
    await expect.poll(eventsChecked).toBe(15);
    await ben.message('production').getByText('recovering').waitFor();
    world.passes(HOUR);
    // Skipping an hour leaves a gap, and at some times of the day passes that of the daily summary: both may be told below.
    const row = ben.message('✅ production · Email via SendGrid failed: API key refused (401)');
    await row.getByText('✅ resolved').waitFor();
    expect(await row.getByText('👀').count()).toBe(0);
  });
});
