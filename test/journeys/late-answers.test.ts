import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL, type Person } from '../support/person.ts';
import { openWorldAsleep, POLLS_ONCE, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('a form that was open for longer than Slack takes answers where it was asked for', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: POLLS_ONCE });
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.start();
    await world.ann.sees('Unauthorized (401)', ONCALL);
  });
  afterAll(() => world.close());

  test('is answered in direct messages once it was carried out', async () => {
    const { ann } = world;
    await ann.opens('Assign…', await ann.sees('Unauthorized (401)', ONCALL), 'They get a direct message');
    await ann.fillsIn({ 'Assign to': 'ben' });
    world.passes(31 * MINUTE);
    expect(await ann.submits()).toEqual([]);
    await ann.sees('to ⟨user U0BEN⟩.', ann.directMessages);
  });
});

describe("a channel's watches", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: POLLS_ONCE });
    world.service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await world.start();
    await world.log.until('"newEvents":1');
  });
  afterAll(() => world.close());

  test('are created and announced once when two people in different time zones ask at the same moment', async () => {
    const { ann, ben } = world;
    await Promise.all([ann.types('/notif watch'), ben.types('/notif watch')]);
    await ann.sees('created a watch here');
    const isRefused = (person: Person) =>
      person
        .messages()
        .some(({ words, onlyFor }) => onlyFor === person.id && words.includes('has this watch already: number 1'));
    await vi.waitUntil(() => isRefused(ann) || isRefused(ben), { timeout: 60_000 });
    expect(ann.messages(GENERAL).filter(({ words }) => words.includes('created a watch here'))).toHaveLength(1);
  });

  test("can't be made the same by an edit, which would alert twice", async () => {
    const { ann } = world;
    await ann.types('/notif watch min:5 tz:Europe/Berlin');
    await ann.sees('after 5 failures');
    await ann.types('/notif watch min:6 tz:Europe/Berlin');
    await ann.sees('after 6 failures');
    await ann.clicks('Edit', await ann.asks('/notif watches 3'));
    await ann.seesModal('Minimum failures');
    await ann.fillsIn({ 'Minimum failures': '5' });
    expect(await ann.submits()).toEqual([]);
    const again = await ann.seesModal('Watch 2 of this channel has these settings already');
    expect(again.words).toContain('\n5\n');
    await ann.closes();
    expect((await ann.asks('/notif watches 3')).words).toContain('after 6 failures');
  });

  test('of which a change is not saved say so in a direct message to a person who closed the form', async () => {
    const { ann, service } = world;
    await ann.clicks('Edit', await ann.asks('/notif watches 3'));
    await ann.seesModal('Minimum failures');
    await ann.fillsIn({ 'Email addresses': 'nobody@example.com', 'Minimum failures': '7' });
    service.faults.set('listEvents', { kind: 'slow', ms: 1_500 });
    await ann.submits();
    await ann.closesAll();
    service.faults.clear();
    await ann.sees("Your change of a watch isn't saved", ann.directMessages);
  });
});
