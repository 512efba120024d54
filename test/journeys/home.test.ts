import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL, Person, type ShownModal } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('the Home tab', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
  });
  afterAll(() => world.close());

  async function fails(channel: 'email' | 'sms' | 'push', subscriber: string): Promise<void> {
    world.service.world.plantEvent(failed(channel, { subscriber }));
    await world.ann.sees(`for ${subscriber}`, ONCALL);
  }

  test('shows the health, open incidents and the channels that get alerts', async () => {
    await fails('email', 'ant');
    await world.ann.opensHome();
    const { words } = await world.ann.seesHome('1 open incident');
    // A check that takes longer than people wait for it goes on.
    for (const name of ['production', 'staging']) {
      expect(words).toMatch(new RegExp(`${name} · (up to date|still being checked) · as of`));
    }
    expect(words).toContain('⟨channel C0ONCALL⟩ · All failures');
    expect(words).toContain('Updated');
    expect(words).toContain('Send a test');
    expect(words).not.toContain('ant');
  });

  test('offers a test only to operators', async () => {
    await world.ben.opensHome();
    expect((await world.ben.seesHome('1 open incident')).words).not.toContain('Send a test');
  });

  test('refreshes a minute later', async () => {
    await fails('sms', 'bee');
    world.passes(MINUTE);
    await world.ben.seesHome('2 open incidents');
  });

  test('refreshes for ten minutes after its user opened it or clicked there, and then stops', async () => {
    world.passes(6 * MINUTE);
    await world.ann.opens('Help', homeOf(world.ann), '/notif failures');
    await world.ann.closesAll();
    world.passes(6 * MINUTE);
    await fails('push', 'cat');
    world.passes(MINUTE);
    await world.ann.seesHome('3 open incidents');
    expect(homeOf(world.ben).words).toContain('2 open incidents');
  });

  test('refreshes at any time by its button', async () => {
    await world.ben.clicks('Refresh', homeOf(world.ben));
    await world.ben.seesHome('3 open incidents');
    // On a busy machine the check takes longer than two seconds, and the modal that says so ends with this.
    expect(world.ben.modal()?.words ?? 'up to date').toMatch(/up to date|Still working/);
  });

  test('opens an example of an incident, the lookup form and the form for a test', async () => {
    await world.ann.opens('Look up', homeOf(world.ann), 'Failed');
    await world.ann.closesAll();
    await world.ann.opens('Send a test', homeOf(world.ann), 'Subscribers');
    await world.ann.closesAll();
    await world.ann.opens('Find a notification', homeOf(world.ann), 'Find a notification');
    await world.ann.closesAll();
  });

  test("shows an incident's events and whom they affected, in a modal", async () => {
    const events = await world.ann.opens('View events', homeOf(world.ann), 'Failures 1–');
    const affected = await world.ann.opens('View affected', events, 'by their IDs');
    expect(affected.words).toContain('what they have in common');
    expect(affected.words).toContain('severity · none · 1 · 100%');
    await world.ann.closesAll();
  });

  test('is published again without a hash after a conflict with another update', async () => {
    world.slack.faults.next('views.publish', { kind: 'error', error: 'hash_conflict' });
    await fails('email', 'dog');
    world.passes(MINUTE);
    await Promise.all([world.ann.seesHome('2 failures in'), world.ben.seesHome('2 failures in')]);
    const published = world.slack.calls.of('views.publish');
    const at = published.findIndex(({ answer }) => answer?.error === 'hash_conflict');
    const refused = published[at];
    const next = published.slice(at + 1).find(({ args }) => args.user_id === refused?.args.user_id);
    expect(refused?.args).toHaveProperty('hash');
    expect(next).toMatchObject({ answer: { ok: true } });
    expect(next?.args).not.toHaveProperty('hash');
  });

  test('tells guests why it shows nothing', async () => {
    const gus = new Person('U0GUS', world.slack.workspace);
    await gus.opensHome();
    const { words } = await gus.seesHome("Guests can't use Notif");
    expect(words).not.toContain('production');
  });
});

function homeOf(person: Person): ShownModal {
  const home = person.home();
  if (home === undefined) throw new Error(`${person.id} has no Home tab`);
  return home;
}
