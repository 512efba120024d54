import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL, Person, type ShownModal } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('the Home tab', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
  });
  afterAll(() => world.close());

  test('shows the open incidents, then a line for each environment', async () => {
    world.service.world.plantEvent(failed('email', { subscriber: 'ant' }));
    await world.ann.sees('SendGrid', ONCALL);
    await world.ann.opensHome();
    const { words } = await world.ann.seesHome('1 incident failing');
    // A check that takes longer than people wait for it goes on.
    for (const name of ['production', 'staging']) {
      expect(words).toMatch(new RegExp(`${name} · (up to date|still being checked) · as of`));
    }
    expect(words).toContain('Updated');
    expect(words).toContain('Send a test');
    expect(words).not.toContain('ant');
  });

  test('offers a test only to operators', async () => {
    await world.ben.opensHome();
    expect((await world.ben.seesHome('1 incident failing')).words).not.toContain('Send a test');
  });

  test('refreshes by its button', async () => {
    world.service.world.plantEvent(failed('sms', { subscriber: 'bee' }));
    await world.ben.clicks('Refresh', homeOf(world.ben));
    await world.ben.seesHome('2 incidents failing');
    // On a busy machine the check takes longer than two seconds, and the modal that says so ends with this.
    expect(world.ben.modal()?.words ?? 'up to date').toMatch(/up to date|Still working/);
  });

  test('opens an example of an incident, the lookup form and the form for a test', async () => {
    await world.ann.opens('Example', homeOf(world.ann), 'Failed');
    await world.ann.closesAll();
    await world.ann.opens('Send a test', homeOf(world.ann), 'Recipients');
    await world.ann.closesAll();
    await world.ann.opens('Look up', homeOf(world.ann), 'Find a notification');
    await world.ann.closesAll();
  });

  test("shows an incident's events and whom they affected, in a modal", async () => {
    const events = await world.ann.opens('View events', homeOf(world.ann), 'View affected');
    await world.ann.opens('View affected', events, 'Download CSV');
    await world.ann.closesAll();
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
