import { beforeAll, describe, expect, test } from 'vitest';
import { openWorld, sharedWorld } from '../support/world.ts';

/** What only HTTP has. `leaks-nothing` visits every surface over it. */
describe('a bot over HTTP', () => {
  const world = sharedWorld(() => openWorld({ mode: 'http' }));
  beforeAll(async () => {
    await world.log.until('Events checked');
  });

  test('opens no socket', () => {
    expect(world.slack.calls.of('apps.connections.open')).toHaveLength(0);
  });

  test('offers known workflows, reports an invalid form, and sends a test once', async () => {
    const { ann, slack, service } = world;
    await ann.choosesShortcut('send_test_notification');
    await ann.seesModal('Recipients');
    expect(await ann.isOffered('trigger.workflow', 'order')).not.toEqual([]);
    await ann.closes();
    const sent = () => service.requests.count('triggerEvents');
    const before = sent();
    await ann.types('/notif trigger password-reset');
    await ann.seesModal('password-reset');
    await ann.fillsIn({ Recipients: 'user-1', Payload: 'not JSON' });
    expect(await ann.submits()).toHaveLength(1);
    await ann.fillsIn({ Recipients: 'user-1', Payload: '{"resetLink": "https://shop.example/reset"}' });
    await Promise.all([ann.submits(), ann.submits()]);
    expect(await slack.forge('replay')).toBe(200);
    await world.fastForward(ann.sees('✅ user-1 delivered', ann.directMessages));
    expect(sent()).toBe(before + 1);
  });

  test('accepts requests again after a restart', async () => {
    await world.stop();
    await world.start();
    const answer = await world.ann.asks('/notif help');
    expect(answer.words).toContain('failures');
  });
});
