import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { outageOf } from '../../sandbox/service/provider-failures.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

test(
  'the timeline of an incident is asked for by its number or in its thread, can be shared, and is a file where it is long',
  inWorld({}, async ({ ann, ben, log, service, polls }) => {
    await log.until('Events checked');
    await ann.types('/notif watch thread:on', GENERAL);
    await ann.sees('created a watch here', GENERAL);
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await polls();
    const alert = await ann.sees('· #1', GENERAL);
    await ben.sees('· #1', ONCALL);
    await ann.clicks('Acknowledge', alert);
    await ben.sees('👀 Acknowledged by ann at', GENERAL);
    await ben.sees('👀 ⟨user U0ANN⟩', ONCALL);
    const inThread = { channel: GENERAL, threadTs: alert.spot.ts };
    await ann.says('@Notif note key is in the vault, rolling it out', inThread);
    await ann.gets('📝 Note added to #1 Email via SendGrid: “key is in the vault, rolling it out”', GENERAL);

    await ben.says('@Notif timeline', inThread);
    const timeline = await ben.gets('Timeline of #1', GENERAL);
    expect(timeline).toMatchObject({ threadTs: alert.spot.ts });
    expect(timeline.words).toMatch(/#1 .*SendGrid.* · production · [-\d]+, UTC\nstill failing · .* · 1 failure/);
    expect(timeline.words).toMatch(/^\d\d:\d\d:\d\d 🔴 First failure \(order-shipped\)$/m);
    expect(timeline.words).toMatch(/📣 Alerted in #general$/m);
    expect(timeline.words).toMatch(/📣 Alerted in #oncall$/m);
    expect(timeline.words).toMatch(
      /👀 Acknowledged by ann \(.*📝 Note by ann: “key is in the vault, rolling it out”$/ms,
    );
    await ben.clicks('Share', timeline);
    expect((await ann.sees('Shared by ben', GENERAL)).words).toContain('👀 Acknowledged by ann');

    service.world.plantEvent(failed('sms', { subscriber: 'user-2' }, outageOf('twilio')));
    await polls();
    await ann.sees('· #2', GENERAL);
    await ben.says('@Notif timeline', { channel: GENERAL });
    await ben.clicks('Timeline', await ben.gets('Which incident?', GENERAL), '#2');
    await ben.gets('Timeline of #2', GENERAL);
    await ben.says('@Notif timeline #2', inThread);
    await ben.gets('Timeline of #2', GENERAL);

    for (let n = 1; n <= 40; n++) await ann.asks(`/notif note #1 tried vault ${n}`, ONCALL);
    await ann.asks('/notif resolve #1', ONCALL);
    await ben.clicks('Timeline', await ben.sees('Resolved by ann at', GENERAL));
    const long = await ben.gets(' more …', GENERAL);
    expect(long.words).toMatch(/First failure.* more ….*tried vault 40.*✅ Resolved by ann · /s);
    await ben.clicks('Download', long);
    await ben.gets('The timeline is in your DMs', GENERAL);
    const { text } = await ben.opensFile('timeline-production-1.txt');
    expect(text).toMatch(/^#1 .*First failure.*tried vault 1”.*tried vault 20”.*✅ Resolved by ann · [^\n]*\n$/s);
  }),
);
