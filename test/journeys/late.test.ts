import { expect, test } from 'vitest';
import { delayedForHours, delivered, failed } from '../../sandbox/service/examples.ts';
import { bounceOf, bounceReasons, outageOf } from '../../sandbox/service/provider-failures.ts';
import { passesInPieces } from '../support/in-pieces.ts';
import { ONCALL } from '../support/person.ts';
import { HOUR, inWorld, inWorldAsleep, MINUTE } from '../support/world.ts';

test(
  'a bounce is alerted to within two thirds of its email’s age where the list of the service shows no steps',
  inWorld({}, async (world) => {
    const { ann, service, log } = world;
    await log.until('Events checked');
    service.behave({ eventListLacks: ['jobs'] });
    const { _id } = service.world.plantEvent(delivered());
    await passesInPieces(world, 42 * MINUTE, 14 * MINUTE);
    service.world.addLateDetail(_id, 1, {
      ...bounceOf(bounceReasons.everyday),
      status: 'Failed',
      source: 'Webhook',
      providerId: 'sendgrid',
    });
    await passesInPieces(world, 28 * MINUTE, 14 * MINUTE);
    await ann.sees("1× mailbox doesn't exist", ONCALL);
  }),
);

test(
  'a step that waits beyond the horizon is counted in the status, and what it fails is alerted to when it is due',
  inWorld({}, async (world) => {
    const { ann, service, polls, passes, stop, start, fastForward } = world;
    const [delay, sms] = delayedForHours().jobs ?? [];
    if (delay === undefined || sms === undefined) throw new Error('a reminder has two steps');
    const waits = { ...delay, digest: { type: 'regular', amount: 80, unit: 'hours' } };
    const { _id } = service.world.plantEvent(delayedForHours({ jobs: [waits, sms] }));
    await polls();
    expect((await ann.asks('/notif status')).words).toMatch(/⏳ production · 1 event with long waits, the next due \d/);
    await stop();
    passes(80 * HOUR);
    service.world.updateJob(_id, 0, { status: 'completed' });
    service.world.addLateDetail(_id, 1, { ...outageOf('twilio'), status: 'Failed', providerId: 'twilio' });
    service.world.updateJob(_id, 1, { status: 'failed' });
    await start();
    await fastForward(ann.sees('SMS via Twilio', ONCALL));
    expect((await ann.asks('/notif status')).words).not.toContain('long waits');
  }),
);

test(
  'failures are said to be lost once the plan drops them, though the service’s clock is hours behind and in no answer',
  inWorldAsleep({}, async (world) => {
    const { ann, service, start, stop, passes, log, fastForward } = world;
    service.behave({ dates: 'left out', planKeepsMs: 3 * HOUR });
    service.advance(-3 * HOUR);
    await start();
    await log.until('Events checked');
    await passesInPieces(world, 2.5 * HOUR, 30 * MINUTE);
    // It is dated half an hour before the start, which was read long ago.
    service.world.plantEvent(failed('email', { subscriber: 'never-read' }));
    await stop();
    passes(5 * HOUR);
    await start();
    const covered = async () => (await ann.asks('/notif failures since:20h')).words;
    // What is lost begins when checks began, at the same time of day.
    const isLost = /since \S+ (\d\d:\d\d) UTC, when checks began[\s\S]*Lost: (?:\S+ )?\1[\d:]* UTC/;
    await fastForward(expect.poll(covered, { interval: 1_000, timeout: 120_000 }).toMatch(isLost));
  }),
);
