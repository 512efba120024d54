import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, QUIET } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe("a channel's watches", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.log.until('"newEvents":1');
  });
  afterAll(() => world.close());

  it('are made by a command, and everybody in the channel is told, with all that is set', async () => {
    const { ann } = world;
    await ann.types('/notif watch channel:email min:5 within:10m every:15m quiet:22:00-07:00 mention:@oncall');
    const made = await ann.sees('made a watch here', GENERAL);
    expect(made.onlyFor).toBeNull();
    expect(made.words).toContain('Only channel email');
    expect(made.words).toContain('from 5 failures in 10 min on · told at most every 15 min · mentions a user group');
    expect(made.words).toContain('quiet 22:00 – 07:00 · daily summary at 09:00 · times in Europe/Berlin');
    expect(made.words).toContain('The time zone is that of whoever made it');
  });

  it('are not made twice', async () => {
    const { ann } = world;
    const answer = await ann.asks(
      '/notif watch channel:email min:5 within:10m every:15m quiet:22:00-07:00 mention:@oncall',
    );
    expect(answer.words).toContain('This channel has this watch already: number 1');
  });

  it('ask first where nothing seen so far goes by a name, and offer the nearest', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif watch workflow:order-shiped tz:UTC');
    expect(answer.words).toContain('Nothing seen so far has the workflow order-shiped. Did you mean order-shipped?');
    await ann.clicks('Watch it all the same', answer);
    const made = await ann.sees('Only workflow order-shiped', GENERAL);
    expect(made.words).toContain('times in UTC');
  });

  it('are not made where Notif is not in the channel', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif watch', QUIET);
    expect(answer.words).toContain('Invite me first: /invite @Notif');
  });

  it('refuse a setting by its name, with an example', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif watch min:many');
    expect(answer.words).toContain('min: takes a number of failures');
    expect(answer.words).toContain('For example: min:5');
  });
});
