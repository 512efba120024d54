import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { type Onlookers, openOnlookers } from './onlookers.ts';

/** A message is edited at most once in this time. */
const HALF_A_MINUTE = 31_000;
const HOUR = 60 * 60_000;

describe('an outage, for those who have the page open', () => {
  let onlookers: Onlookers;
  beforeAll(async () => {
    onlookers = await openOnlookers(ONCALL);
    await onlookers.world.log.until('events read');
  });
  afterEach(() => onlookers.findNothingWrong());
  afterAll(() => onlookers.close());

  /** SendGrid refuses what is sent to these. */
  function refuses(...subscribers: readonly string[]): void {
    const { service } = onlookers.world;
    for (const subscriber of subscribers) service.world.plantEvent(failed('email', { subscriber }));
  }
  const eventsRead = () => {
    const counts = onlookers.world.log.saying('events read').map(({ newEvents }) => Number(newEvents ?? 0));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const digest = () => onlookers.ann.message('incident');

  it('begins with a digest that comes by itself', async () => {
    const { ann, ben, world } = onlookers;
    refuses('user-1', 'user-2');
    for (const screen of [ann, ben]) {
      const message = await screen.reads('incident');
      await message.getByText('Email · SendGrid — order-shipped').waitFor();
      await message.getByText('Failed: Unauthorized (401)').waitFor();
      await message.getByRole('button', { name: 'Look up Email · SendGrid — order-shipped' }).waitFor();
    }
    await digest().getByText('2 failures').waitFor();
    await world.log.until('message posted');
  });

  it('counts on in place, and marks nothing as unread', async () => {
    const { ann, ben, world } = onlookers;
    await ben.goesTo('#general');
    refuses('user-3', 'user-4', 'user-5');
    // An edit that became due before they are read would put theirs off for another half a minute.
    await expect.poll(eventsRead).toBe(5);
    world.passes(HALF_A_MINUTE);
    await digest().getByText('5 failures').waitFor();
    expect(await ann.page.getByRole('log').getByRole('article').count()).toBe(1);
    await ben.page.getByRole('navigation').getByRole('button', { name: '#oncall', exact: true }).waitFor();
    await ben.goesTo('#oncall');
  });

  it('is acknowledged from the menu of its row, which everybody sees at once', async () => {
    const { ann, ben } = onlookers;
    await digest().getByRole('button', { name: 'More options' }).click();
    await ann.page.getByRole('menuitem', { name: 'Acknowledge' }).click();
    await ann.reads('Acknowledged.');
    await ben.message('incident').getByText('👀 @ann acknowledged at').waitFor();
  });

  it('is over when the provider works again: an hour later the row says so', async () => {
    const { ben, world } = onlookers;
    world.service.world.plantEvent(delivered({ subscriber: 'user-6' }));
    await expect.poll(eventsRead).toBe(6);
    world.passes(HOUR);
    // Not the daily summary: at some times of the day an hour leads past nine o'clock.
    const row = ben.message('First digest');
    await row.getByText('✅ Email · SendGrid — order-shipped').waitFor();
    await row.getByText('resolved: recovered by').waitFor();
    expect(await row.getByText('acknowledged').count()).toBe(0);
  });
});
