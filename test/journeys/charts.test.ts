import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

describe('a chart of failures', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_POLL_SECONDS: '3600' } });
    const { world: planted } = world.service;
    const createdAt = (minutesAgo: number) => planted.now() - minutesAgo * 60_000;
    for (const minutesAgo of [3, 4, 9, 12]) {
      planted.plantEvent(failed('email', { subscriber: `user-${minutesAgo}`, createdAt: createdAt(minutesAgo) }));
    }
    planted.plantEvent(failed('sms', { subscriber: 'user-1', createdAt: createdAt(3) }));
    planted.plantEvent(delivered({ subscriber: 'user-5', createdAt: createdAt(5) }));
    await world.start();
    await world.log.until('events checked');
  });
  afterEach(() => world.slack.faults.clear());
  afterAll(() => world.close());

  test('is drawn by Slack for the person who asks, and for everyone once it is shared', async () => {
    const { ann, ben } = world;
    const answer = await ann.asks('/notif chart', GENERAL);
    expect(answer.words).toMatch(/5 failures · 6 events checked\n4 \S.* · 1 \S/);
    await ann.clicks('Share', answer);
    expect((await ben.sees('Shared by', GENERAL)).words).toContain('Failures in production');
  });

  test('is of what an answer shows, or of an incident', async () => {
    const { ann } = world;
    await ann.clicks('Chart', await ann.asks('/notif failures provider:twilio', GENERAL), 'Share');
    expect((await ann.sees('Only provider twilio', GENERAL)).words).toContain('1 failure · ');
    await ann.clicks('View events', await ann.sees('production · Email via SendGrid', ONCALL));
    await ann.clicks('Chart', await ann.gets('· 4 failures', ONCALL));
    expect((await ann.sees('4 failures · 6 events checked', ONCALL)).words).toContain('4 failures · ');
  });

  test('is in words in a workspace that has no charts yet', async () => {
    const { ann, ben, log } = world;
    world.slack.faults.refuseNewerBlocks();
    const answer = await ann.asks('/notif chart channel:email', GENERAL);
    expect(answer.words).toMatch(/4 failures · 6 events checked · Europe\/Berlin\n\d\d:\d\d · \d/);
    await ann.clicks('Share', answer);
    expect((await ben.sees('Only channel email', GENERAL)).words).toContain('4 failures · ');
    await ann.says('chart channel:email', { channel: ann.directMessages });
    expect((await ann.sees('Only channel email', ann.directMessages)).words).toContain('4 failures · ');
    expect(log.saying('Slack refused the newer kinds of blocks')).not.toEqual([]);
  });

  test('gives no all-clear for a workflow that was never seen', async () => {
    const { words } = await world.ann.asks('/notif chart workflow:ordr-shipped', GENERAL);
    expect(words).toContain('No workflow ordr-shipped seen in production. Did you mean order-shipped?');
    expect(words).not.toContain('No failures');
  });

  test('is not drawn if nothing failed', async () => {
    const answer = await world.ann.asks('/notif chart channel:push', GENERAL);
    expect(answer.words).toContain('No failures');
  });
});
