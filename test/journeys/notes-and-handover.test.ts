import { expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { outageOf } from '../../sandbox/service/provider-failures.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { HOUR, inWorld } from '../support/world.ts';

test(
  'a note about an incident is visible to everybody, and shown again when the same cause comes back days later',
  inWorld({}, async ({ ann, ben, log, service, passes, polls }) => {
    await log.until('Events checked');
    await ann.types('/notif watch thread:on', GENERAL);
    await ann.sees('created a watch here', GENERAL);
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    await polls();
    await log.until('Message posted', 2);
    const row = await ann.sees('1 person', ONCALL);
    const form = await ann.opens('Add a note…', row, 'Everyone sees it, and again when the cause');
    expect(form.words).toContain('Email via SendGrid fails');
    await ann.fillsIn({ Note: 'key had been rotated in vault, not here <!channel> ann@example.com' });
    expect(await ann.submits()).toEqual([]);
    const words = '“key had been rotated in vault, not here <!channel> a•••@example.com”';
    await ann.gets(`📝 Note added to #1 Email via SendGrid: ${words}`, ONCALL);
    await ben.sees(`📝 ${words} ⟨user U0ANN⟩`, ONCALL);
    await ben.sees(`📝 Note by ann at`, GENERAL);
    const number = /#\d+/.exec(row.words)?.[0] ?? '';
    const threadTs = row.spot.ts;
    await ben.says(`@Notif ${number}`, { channel: ONCALL, threadTs });
    await ben.opens('Add a note…', await ben.gets(number, ONCALL), 'Everyone sees it');
    await ben.fillsIn({ Note: 'written in a thread' });
    expect(await ben.submits()).toEqual([]);
    expect(await ben.gets('“written in a thread”', ONCALL)).toMatchObject({ threadTs });
    const answer = await ben.asks(`/notif note ${number} since: it "works" again`, ONCALL);
    expect(answer.words).toContain('📝 Note added to #1 Email via SendGrid: “since: it "works" again”');
    await ben.asks(`/notif resolve ${number}`, ONCALL);

    passes(50 * HOUR);
    service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
    await polls();
    const again = await ann.sees('📝 last time (', ONCALL);
    expect(again.words).toMatch(/📝 last time \([^)]+\): “since: it "works" again”/);
    const history = await ben.asks('/notif history workflow:order-shipped', ONCALL);
    expect(history.words).toMatch(/still failing.*resolved by ⟨user U0BEN⟩ .*⟨user U0BEN⟩: “since: it "works" again”/s);
    const [, first] = history.words.match(/#\d+(?=[^|]*\|.*Look up$)/gm) ?? [];
    await ben.clicks('Look up', history, `${first} `);
    const past = await ben.gets('📝 “since: it "works" again” ⟨user U0BEN⟩', ONCALL);
    expect(past.words.match(/works|\n📝 ⟨user U0ANN⟩, .*: “key had been rotated/g)).toHaveLength(2);
    const none = await ben.asks('/notif history channel:sms', ONCALL);
    expect(none.words).toMatch(/⚪ production .* no incidents\n.*⚠️ Not checked: /s);
    const empty = await ann.asks(`/notif note ${number}`, ONCALL);
    expect(empty.words).toMatch(/A note takes text of 200 characters at most\.[\s\S]*\/notif note #17 /);
  }),
);

test(
  '/notif handover shows who has what, and shares it without a mention',
  inWorld({}, async ({ ann, ben, log, service, polls }) => {
    await log.until('Events checked');
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    service.world.plantEvent(failed('sms', { subscriber: 'user-2' }, outageOf('twilio')));
    await polls();
    const email = /credentials refused.*?(#\d+)/s.exec((await ann.sees('Email via SendGrid', ONCALL)).words)?.[1] ?? '';
    const sms = /20503.*?(#\d+)/s.exec((await ann.sees('SMS via Twilio', ONCALL)).words)?.[1] ?? '';
    await ann.asks(`/notif ack ${email}`, ONCALL);
    await ann.asks(`/notif note ${sms} waiting for their support`, ONCALL);
    await ann.asks(`/notif mute ${email} 1h`, ONCALL);

    const answer = await ben.asks('/notif handover', ONCALL);
    expect(answer.words).toMatch(/🔴 2 open incidents, 1 unassigned · 0 resolved/);
    expect(answer.words).toMatch(/⚠️ unassigned · .*📝 “waiting for their support” ⟨user U0ANN⟩.*👀 ⟨user U0ANN⟩ /s);
    expect(answer.words).toMatch(
      /🔕 #\d+ Email · SendGrid of production in ⟨channel C0ONCALL⟩ until .*, muted by ⟨user U0ANN⟩/,
    );
    expect(answer.words).toContain('production checked to');

    await ben.clicks('Share', answer);
    const shared = await ann.sees('🤝 Handover', ONCALL);
    expect(shared.words).toContain('Shared by ben');
    expect(shared.words).not.toContain('⟨user U0ANN⟩');
    expect(shared.words).toContain('muted by ann');
    expect((await ann.asks('/notif handover 8h', ONCALL)).words).toContain('/notif handover since:2h');
  }),
);
