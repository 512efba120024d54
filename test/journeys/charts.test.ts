import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delivered, failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL, QUIET } from '../support/person.ts';
import { openWorldAsleep, type World } from '../support/world.ts';

const PICTURE = /failures-production-[\dT-]+\.png$/;
const NUMBERS = /5 failures · most at .*: 3 in 1 min · first at .*, last at .* · 6 events checked/;

describe('a chart of failures', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorldAsleep({ variables: { NOTIF_POLL_SECONDS: '3600' } });
    const { world: planted } = world.service;
    const createdAt = (minutesAgo: number) => planted.now() - minutesAgo * 60_000;
    // Within one minute of the clock, whenever the test begins.
    const minute = createdAt(3) - (createdAt(3) % 60_000);
    for (const at of [minute, minute + 1_000, createdAt(9), createdAt(12)]) {
      planted.plantEvent(failed('email', { subscriber: `user-${at}`, createdAt: at }));
    }
    planted.plantEvent(failed('sms', { subscriber: 'user-1', createdAt: minute + 2_000 }));
    planted.plantEvent(delivered({ subscriber: 'user-5', createdAt: createdAt(5) }));
    await world.start();
    await world.log.until('events checked');
  });
  afterAll(() => world.close());

  test('is an image for everyone in the channel, with the same facts in words', async () => {
    const { ann, ben, log } = world;
    const answer = await ann.asks('/notif chart', GENERAL);
    expect(answer.words).toContain('The chart is in this conversation');
    const posted = await ben.sees('Failures in production', GENERAL);
    expect(posted.words).toMatch(NUMBERS);
    expect(posted.words).toMatch(PICTURE);
    expect(posted.words).not.toContain('Not checked');
    const picture = await ben.opensFile(posted.files[0]?.name ?? '', GENERAL);
    expect(picture.text).toContain('PNG');
    expect(picture.size).toBeGreaterThan(5_000);
    expect(picture.altText).toMatch(/^Bar chart: Failures in production, .* 5 failures; most at .*: 3 in 1 min\./);
    expect(log.saying('could not be drawn')).toEqual([]);
  });

  test('is narrowed by filters, and by the answer whose button was clicked', async () => {
    const { ann } = world;
    await ann.clicks('Chart', await ann.asks('/notif failures provider:twilio', GENERAL), 'Share');
    expect((await ann.sees('1 failure · most at', GENERAL)).words).toContain('Only provider twilio');
  });

  test('gives numbers where Notif can’t post, and the image in direct messages', async () => {
    const { ann } = world;
    const answer = await ann.asks('/notif chart', QUIET);
    expect(answer.words).toContain("Notif isn't in this conversation");
    expect(answer.words).toMatch(NUMBERS);
    expect(answer.words).toContain('By provider: 4 Email · SendGrid · 1 SMS · Twilio');
    expect((await ann.sees('Failures in production', ann.directMessages)).words).toMatch(PICTURE);
  });

  test('of an incident is posted in the thread of its digest', async () => {
    const { ann } = world;
    const digest = await ann.sees('incidents', ONCALL);
    await ann.clicks('Chart', digest, 'Email · SendGrid');
    const posted = await ann.sees('Email · SendGrid in production', ONCALL);
    expect(posted.threadTs).toBe(digest.spot.ts);
    expect(posted.words).toContain('4 failures');
  });

  test("isn't drawn of what is left of several names", async () => {
    const { words } = await world.ann.asks('/notif chart channel:email,emial', GENERAL);
    expect(words).toContain('No channel emial seen in production. Did you mean email?');
  });

  test('gives no all-clear for a workflow that was never seen', async () => {
    const { words } = await world.ann.asks('/notif chart workflow:ordr-shipped', GENERAL);
    expect(words).toContain('No workflow ordr-shipped seen in production. Did you mean order-shipped?');
    expect(words).not.toContain('Nothing to draw');
  });

  test('has no image if nothing failed', async () => {
    const answer = await world.ann.asks('/notif chart channel:push', GENERAL);
    expect(answer.words).toContain('Nothing to draw: no failures');
    expect(answer.files).toEqual([]);
  });
});
