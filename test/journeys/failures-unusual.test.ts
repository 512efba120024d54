import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed, hostile } from '../../sandbox/notification-service/examples.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

const MINUTE = 60_000;

describe('/notif failures in unusual conditions', () => {
  let world: World;
  beforeAll(async () => {
    const environments = ['unchecked', 'varied', 'hostile', 'keyless'];
    world = await openWorldAsleep({ environments, variables: { NOTIF_POLL_SECONDS: '3600' } });
    for (const environment of environments) plant(environment, world);
    // Its first poll waits for an answer until the test ends, so nothing is stored.
    world.serviceOf('unchecked').faults.set('listEvents', { kind: 'hang' });
    await world.start();
    await world.log.until('events checked', environments.length - 1);
  });
  afterAll(() => world.close());

  test("claims nothing while the first poll hasn't finished", async () => {
    const answer = await world.ann.asks('/notif failures env:unchecked');
    expect(answer.words).toContain('unchecked · nothing was checked');
    expect(answer.words).not.toContain('No failures');
  });

  test('pages through many causes', async () => {
    const { ann } = world;
    const first = await ann.asks('/notif failures env:varied');
    expect(first.words).toContain('Causes 1–10 of 12');
    await ann.clicks('Next causes', first);
    const second = await ann.gets('Causes 11–12 of 12');
    expect(second.spot).toEqual(first.spot);
    await ann.clicks('Previous causes', second);
    await ann.gets('Causes 1–10 of 12');
  });

  test('shows text from strangers as text, never as markup', async () => {
    const answer = await world.ann.asks('/notif failures env:hostile');
    expect(answer.words).toContain('<@U0VICTIM> ∗bold∗ ˋcodeˋ & "quotes" \'; DROP TABLE groups; --');
    expect(answer.words + answer.fallbackText).not.toContain('⟨');
  });

  test("shows what it knows, and the problem when the service can't be reached", async () => {
    world.serviceOf('keyless').faults.set('listEvents', { kind: 'status', status: 401 });
    world.passes(MINUTE);
    const answer = await world.ann.asks('/notif failures env:keyless');
    expect(answer.words).toContain('1 failed of 2 events');
    expect(answer.words).toContain("Couldn't read from keyless: the API key was refused (401).");
  });
});

function plant(environment: string, { serviceOf }: World): void {
  const { world } = serviceOf(environment);
  switch (environment) {
    case 'varied':
      for (const word of ['ape', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen', 'ibex', 'jay', 'koi', 'lynx']) {
        world.plantEvent(failed('email', {}, { raw: JSON.stringify({ message: word }) }));
      }
      return;
    case 'hostile':
      world.plantEvent(hostile({ subscriber: '<!everyone>' }));
      return;
    case 'keyless':
      world.plantEvent(failed('email', { subscriber: 'known' }));
      world.plantEvent(delivered());
  }
}
