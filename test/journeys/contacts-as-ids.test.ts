import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { everyRowIn, textsWith } from '../support/evidence.ts';
import { ONCALL, type ShownMessage } from '../support/person.ts';
import { openWorldAsleep, POLLS_ONCE, type World } from '../support/world.ts';

const ADDRESS = 'Anna.Private+orders@people.example';
const NUMBER = '+4917098765432';
const SECRETS = ['Private+orders', '17098765432'];

describe('subscribers whose IDs are contacts', () => {
  let world: World;
  let digest: ShownMessage;
  beforeAll(async () => {
    world = await openWorldAsleep({ database: 'server', variables: POLLS_ONCE });
    for (const subscriber of [ADDRESS, ADDRESS, NUMBER]) {
      world.service.world.plantEvent(failed('email', { subscriber }));
    }
    await world.start();
    digest = await world.ann.sees('production · Email via SendGrid', ONCALL);
  });
  afterAll(() => world.close());

  test('are each counted once in a digest', () => {
    expect(digest.words).toContain('2 people');
  });

  test("are masked in the list of an incident's affected subscribers", async () => {
    await world.ann.clicks('View events', digest);
    await world.ann.clicks('View affected', await world.ann.gets('Look up …', ONCALL));
    const { words } = await world.ann.gets('· 2 subscribers', ONCALL);
    expect(words).toMatch(/A•••@people\.example \| 2/);
    expect(words).toContain('•••32');
  });

  test('are found by their whole IDs', async () => {
    await world.ann.types(`/notif failures subscriber:${ADDRESS}`, ONCALL);
    expect((await world.ann.gets('Only subscriber', ONCALL)).words).toMatch(/2 failed\n[\s\S]*Only subscriber Anna/);
  });

  test('are shown whole to the person who looks up an event, and masked when it is shared', async () => {
    const { ann, ben } = world;
    await ann.clicks('View events', digest);
    const events = await ann.gets('Look up …', ONCALL);
    const [, first = ''] = /Look up …\n(.*)/.exec(events.words) ?? [];
    await ann.picks(first, 'event.look-up', events);
    const card = await ann.gets('Failed · order-shipped for', ONCALL);
    expect(card.words).toMatch(/for (Anna\.Private\+orders@people\.example|\+4917098765432)/);
    await ann.clicks('Share', card);
    expect((await ben.sees('Shared by', ONCALL)).words).toMatch(/for (A•••@people\.example|•••32)/);
  });

  test('appear in no channel message, log line or database row', async () => {
    const messages = world.ben.messages(ONCALL).map((message) => JSON.stringify(message));
    expect(messages).toHaveLength(2);
    expect(textsWith(SECRETS, messages)).toEqual([]);
    await world.stop();
    const lines = world.log.saying('').map((line) => JSON.stringify(line));
    expect(textsWith(SECRETS, lines)).toEqual([]);
    const kept = await everyRowIn(world.variables.DATABASE_URL);
    expect(kept.some((row) => row.startsWith('public.failures'))).toBe(true);
    expect(textsWith(SECRETS, kept)).toEqual([]);
  });
});
