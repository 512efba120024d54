import { expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { outageOf } from '../../sandbox/notification-service/provider-failures.ts';
import { ONCALL, type ShownMessage } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

test(
  '/notif handover shows who has what, and shares it without a mention',
  inWorld({}, async ({ ann, ben, log, service }) => {
    await log.until('events checked');
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    service.world.plantEvent(failed('sms', { subscriber: 'user-2' }, outageOf('twilio')));
    const email = numberIn(await ann.sees('Email via SendGrid', ONCALL), /Unauthorized.*?(#\d+)/s);
    const sms = numberIn(await ann.sees('SMS via Twilio', ONCALL), /20503.*?(#\d+)/s);
    await ann.asks(`/notif ack ${email}`, ONCALL);
    await ann.asks(`/notif note ${sms} waiting for their support`, ONCALL);
    await ann.asks(`/notif mute ${email} 1h`, ONCALL);

    const answer = await ben.asks('/notif handover', ONCALL);
    expect(answer.words).toMatch(/🔴 2 open incidents, 1 unassigned · 0 over/);
    expect(answer.words).toMatch(/⚠️ unassigned · .*📝 ann: “waiting for their support”.*👀 ann · /s);
    expect(answer.words).toMatch(/🔕 Email · SendGrid of production in ⟨channel C0ONCALL⟩ until .*, muted by ann/);
    expect(answer.words).toContain('production checked to');

    await ben.clicks('Share', answer);
    const shared = await ann.sees('🤝 Handover', ONCALL);
    expect(shared.words).toContain('Shared by ⟨user U0BEN⟩');
    expect(shared.words).not.toContain('⟨user U0ANN⟩');
    expect((await ann.asks('/notif handover 8h', ONCALL)).words).toContain('/notif handover since:2h');
  }),
);

function numberIn({ words }: ShownMessage, row: RegExp): string {
  return row.exec(words)?.[1] ?? '';
}
