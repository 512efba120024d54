import { beforeEach, describe, expect, test } from 'vitest';
import { UNFILTERED } from '../../domain/watches/watch.ts';
import { digestAt, goOn } from '../../store/deliveries/deliveries.testing.ts';
import { at } from '../../store/examples.testing.ts';
import { describeStore, silent } from '../../store/store.testing.ts';
import { type DeliveryPublisher, type DeliveryStore, deliverMessages, type EditOutcome } from './deliver-messages.ts';

describeStore('delivery under failures', (store) => {
  let posts: { readonly channel: string; readonly at: number }[];
  let edits: number;
  let clock: Date;
  beforeEach(async () => {
    posts = [];
    edits = 0;
    clock = at(0);
    await store().watches.ensureWatch('C1', at(-1));
  });

  const posting: DeliveryPublisher = {
    post: async ({ channel }) => {
      posts.push({ channel, at: clock.getTime() });
      return { outcome: 'posted', ts: `1.${posts.length}`, fingerprint: 'posted' };
    },
    edit: async () => {
      edits += 1;
      return { outcome: 'edited', fingerprint: `edited ${edits}` };
    },
    find: async () => ({ found: 'no' }),
  };

  function delivers(
    change: Partial<DeliveryPublisher> = {},
    content: DeliveryStore['content'] = store().deliveries.content,
  ) {
    return deliverMessages({
      store: { ...store().deliveries, content },
      publisher: { ...posting, ...change },
      operators: [],
      logger: silent,
      now: () => clock,
      signal: new AbortController().signal,
    });
  }

  test("posts and edits the other messages when one can't be drawn, and returns how many failed", async () => {
    const shown = await digestAt(store(), clock, 'a');
    await delivers();
    clock = at(1);
    await goOn(store(), clock, 'a');
    await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings: UNFILTERED }, clock);
    const broken = await digestAt(store(), clock, 'b');
    clock = at(2);
    const failed = await delivers({}, (id, now) =>
      id === broken ? Promise.reject(new TypeError('a bug')) : store().deliveries.content(id, now),
    );
    expect({ failed, posts: posts.length, edits }).toEqual({ failed: 1, posts: 2, edits: 1 });
    clock = at(3);
    await store().deliveries.releaseClaims(0);
    expect(await delivers()).toBe(0);
    expect(posts).toHaveLength(3);
    expect(shown).not.toBe(broken);
  });

  test('edits between two turns of posts, however many messages are pending', async () => {
    await digestAt(store(), clock, 'shown');
    await delivers();
    clock = at(1);
    await goOn(store(), clock, 'shown');
    for (let n = 2; n <= 25; n += 1) {
      await store().watches.makeWatch({ channel: `C${n}`, createdBy: 'U1', settings: UNFILTERED }, clock);
    }
    await digestAt(store(), clock, 'cause');
    clock = at(2);
    let postsBeforeEdit = 0;
    const edit = async (): Promise<EditOutcome> => {
      postsBeforeEdit ||= posts.length - 1;
      return { outcome: 'edited', fingerprint: 'e' };
    };
    await delivers({ edit });
    expect(posts).toHaveLength(26);
    expect(postsBeforeEdit).toBeGreaterThan(0);
    expect(postsBeforeEdit).toBeLessThan(25);
  });

  test('posts in the other channels while one is rate limited', async () => {
    await store().watches.makeWatch({ channel: 'C2', createdBy: 'U1', settings: UNFILTERED }, at(-1));
    await digestAt(store(), clock, 'a');
    const limited: DeliveryPublisher['post'] = (content, options) =>
      content.channel === 'C1'
        ? Promise.resolve({ outcome: 'rate-limited', retryAfterMs: 2_000 })
        : posting.post(content, options);
    await delivers({ post: limited });
    expect(posts.map(({ channel }) => channel)).toEqual(['C2']);
    expect(await store().deliveries.nextDeliveryAt(clock)).toEqual(new Date(clock.getTime() + 2_000));
  });

  describe('while one incident fails for an hour', () => {
    const REFUSALS = [
      ['refuses edits in the channel', { outcome: 'frozen', reason: 'is_inactive', scope: 'channel' }, 2],
      ['has lost each message', { outcome: 'deleted', reason: 'message_not_found' }, 4],
    ] satisfies [string, EditOutcome, number][];

    test.each(REFUSALS)('and Slack %s, notifies at most so often: %o, %i', async (_, outcome, most) => {
      for (let minute = 0; minute < 60; minute += 5) {
        clock = at(minute);
        await digestAt(store(), clock, 'a');
        await delivers({ edit: async () => outcome });
      }
      expect(posts.length).toBeGreaterThan(0);
      expect(posts.length).toBeLessThanOrEqual(most);
    });
  });
});
