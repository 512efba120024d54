import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

describe('/notif topic', () => {
  let world: World;
  let ann: Person;
  beforeAll(async () => {
    world = await openWorld({ environments: ['production', 'staging'] });
    ann = world.ann;
  });
  afterAll(() => world.close());

  test('lists subscribers with masked contacts, only to the person who asked', async () => {
    const answer = await ann.asks('/notif topic vip');
    expect(answer.words).toMatch(/^production · topic vip \(VIP\) · 3 subscriptions\nCreated \d{4}-/);
    expect(answer.words).toMatch(/user-43 · [A-Z]\. [A-Z]\. · .•••@people\.sandbox\.example · since \d{4}-/);
    expect(answer.words.indexOf('user-43')).toBeLessThan(answer.words.indexOf('user-41'));
    expect(world.ben.messages()).toEqual([]);
  });

  test('pages both ways in place, in either order', async () => {
    const first = await ann.asks('/notif topic news-readers');
    expect(first.words).toContain('40 subscriptions');
    expect(first.words).toContain('10 of them, the newest first; this is the first page');
    await ann.clicks('Next subscribers', first);
    const second = await ann.gets('user-30 ·');
    expect(second.spot).toEqual(first.spot);
    await ann.clicks('Previous subscribers', second);
    const back = await ann.gets('this is the first page');
    await ann.clicks('Oldest first', back);
    const oldest = await ann.gets('10 of them, the oldest first; this is the first page');
    expect(oldest.words).toContain('user-1 ·');
  });

  test("finds one subscriber and the subscription's neighbors", async () => {
    const one = await ann.asks('/notif topic news-readers subscriber:user-20');
    expect(one.words).toContain('Only subscriber user-20');
    const [, id = ''] = /subscription ([0-9a-f]{24})/.exec(one.words) ?? [];
    await ann.clicks('Around it', one);
    const around = await ann.gets(`subscription ${id} · this one was asked for`);
    expect(around.words).toContain('user-19 ·');
    await ann.clicks('Previous subscribers', around);
    await ann.gets('user-21 ·');
    const typed = await ann.asks(`/notif topic news-readers sort:oldest around:${id}`);
    expect(typed.words).toContain('user-21 ·');
  });

  test("says that a subscriber isn't subscribed", async () => {
    const answer = await ann.asks('/notif topic news-readers subscriber:user-99');
    expect(answer.words).toContain('no subscriptions');
    expect(answer.words).toContain('Only subscriber user-99 · not subscribed, or unknown to the service');
  });

  test('says "more than" where the service stops counting', async () => {
    world.service.world.plantTopic(
      'crowd',
      Array.from({ length: 50_001 }, (_, n) => `crowd-${n}`),
    );
    expect((await ann.asks('/notif topic crowd')).words).toContain('more than 50,000 subscriptions');
  });

  test('marks a subscription whose subscriber was deleted', async () => {
    world.service.world.plantTopic('leavers', ['leaver-1']);
    world.service.world.subscriber('leaver-1').deleted = true;
    expect((await ann.asks('/notif topic leavers')).words).toContain('a deleted subscriber · since');
  });

  test("offers a button to the start when the page's place is gone", async () => {
    const topic = world.service.world.plantTopic(
      'shrinking',
      Array.from({ length: 25 }, (_, n) => `shrinking-${n}`),
    );
    const first = await ann.asks('/notif topic shrinking');
    topic.subscriptions.splice(0, 20);
    await ann.clicks('Next subscribers', first);
    const gone = await ann.gets('production no longer knows this place in topic shrinking.');
    await ann.clicks('Back to start', gone);
    await ann.gets('5 subscriptions');
  });

  test('says that the environment has no such topic, and which one has', async () => {
    world.serviceOf('staging').world.plantTopic('only-staged', ['user-1']);
    const answer = await ann.asks('/notif topic only-staged');
    expect(answer.words).toContain('production has no topic only-staged.\nIt exists in staging.');
    await ann.clicks('View subscriptions', answer);
    await ann.gets('staging · topic only-staged · 1 subscription');
    expect((await ann.asks('/notif topic nowhere')).words).toContain("Use the topic's key, not its name");
  });

  test('shares a page with everybody', async () => {
    await ann.clicks('Share', await ann.asks('/notif topic vip'));
    expect((await world.ben.sees('Shared by')).words).toContain('user-41 ·');
  });

  test.each([
    ['/notif topic', 'Which topic? Give its key.'],
    ['/notif topic news readers', 'For example: /notif topic "news readers"'],
    ['/notif topic vip sort:name', 'There is no order name. There are: newest, oldest.'],
    ['/notif topic vip channel:email', "can't filter by channel:. It takes subscriber:, sort:, around:, env:."],
  ])('corrects %s', async (line, words) => {
    expect((await ann.asks(line)).words).toContain(words);
  });

  test("explains why a topic couldn't be read", async () => {
    world.service.faults.set('listTopicSubscriptions', { kind: 'html', status: 502 });
    expect((await ann.asks('/notif topic vip')).words).toContain('a gateway in front of it answered instead (502)');
    world.service.faults.clear();
  });
});
