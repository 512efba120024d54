import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

describe('/notif topic', () => {
  let world: World;
  let ann: Person;
  beforeAll(async () => {
    world = await openWorld({ variables: POLLS_ONCE });
    ann = world.ann;
  });
  afterAll(() => world.close());

  test('lists subscribers with masked contacts, only to the person who asked', async () => {
    const answer = await ann.asks('/notif topic vip');
    expect(answer.words).toMatch(/^production · topic vip \(VIP\) · 3 subscriptions\n/);
    expect(answer.words).toMatch(/user-43 \| [A-Z]\. [A-Z]\. · .•••@people\.sandbox\.example \| \d{4}-/);
    expect(answer.words.indexOf('user-43')).toBeLessThan(answer.words.indexOf('user-41'));
    expect(world.ben.messages()).toEqual([]);
  });

  test('loads more after a hundred, in either order', async () => {
    world.service.world.plantTopic(
      'many',
      Array.from({ length: 130 }, (_, n) => `many-${n}`),
    );
    const first = await ann.asks('/notif topic many');
    const [, shown] = /(\d+) of 130 subscriptions/.exec(first.words) ?? [];
    await ann.clicks('Load more', first);
    await ann.gets(`${Number(shown) + 1}–`);
    expect((await ann.asks('/notif topic many sort:oldest')).words).toContain('many-0 |');
  });

  test("says that a subscriber isn't subscribed", async () => {
    const answer = await ann.asks('/notif topic news-readers subscriber:user-99');
    expect(answer.words).toContain('no subscriptions');
    expect(answer.words).toContain('Not subscribed, or unknown to the service');
  });

  test('marks a subscription whose subscriber was deleted', async () => {
    world.service.world.plantTopic('leavers', ['leaver-1']);
    world.service.world.subscriber('leaver-1').deleted = true;
    expect((await ann.asks('/notif topic leavers')).words).toContain('deleted subscriber |');
  });

  test('says that the environment has no such topic', async () => {
    expect((await ann.asks('/notif topic nowhere')).words).toContain("Use the topic's key, not its name");
  });

  test('shares the list with everybody', async () => {
    await ann.clicks('Share', await ann.asks('/notif topic vip'));
    expect((await world.ben.sees('Shared by')).words).toContain('user-41 |');
  });

  test.each([
    ['/notif topic', 'Which topic? Give its key.'],
    ['/notif topic news readers', 'For example: /notif topic "news readers"'],
    ['/notif topic vip sort:name', 'There is no order name. There are: newest, oldest.'],
    ['/notif topic vip channel:email', "can't filter by channel:. It takes subscriber:, sort:, env:."],
  ])('corrects %s', async (line, words) => {
    expect((await ann.asks(line)).words).toContain(words);
  });

  test("explains why a topic couldn't be read", async () => {
    world.service.faults.set('listTopicSubscriptions', { kind: 'html', status: 502 });
    expect((await ann.asks('/notif topic vip')).words).toContain('a gateway in front of it answered instead (502)');
    world.service.faults.clear();
  });
});
