import { expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { ONCALL } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

test(
  '/notif handover shows who has what, and shares it without a mention',
  inWorld({}, async ({ ann, ben, log, service }) => {
    await log.until('events checked');
    service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
    service.world.plantEvent(failed('sms', { subscriber: 'user-2' }));
    const email = numberOf('Email', (await ann.sees('for user-1', ONCALL)).words);
    const sms = numberOf('SMS', (await ann.sees('for user-2', ONCALL)).words);
    await ann.asks(`/notif ack ${email}`, ONCALL);
    await ann.asks(`/notif note ${sms} waiting for their support`, ONCALL);
    await ann.asks(`/notif mute ${email} 1h`, ONCALL);

    const answer = await ben.asks('/notif handover', ONCALL);
    expect(answer.words).toMatch(/🔴 2 open incidents, 1 unassigned · 0 over/);
    expect(answer.words).toMatch(/⚠️ unassigned · .*📝 ann: “waiting for their support”.*👀 ann acknowledged it /s);
    expect(answer.words).toMatch(/🔕 Email · SendGrid of production in ⟨channel C0ONCALL⟩ until .*, muted by ann/);
    expect(answer.words).toContain('production checked to');

    await ben.clicks('Share', answer);
    const shared = await ann.sees('🤝 Handover', ONCALL);
    expect(shared.words).toContain('Shared by ⟨user U0BEN⟩');
    expect(shared.words).not.toContain('⟨user U0ANN⟩');
    expect((await ann.asks('/notif handover 8h', ONCALL)).words).toContain('/notif handover since:2h');
  }),
);

/** Returns the number of an incident, which ends the title of its row. */
function numberOf(channel: string, words: string): string {
  return new RegExp(`${channel} .*(#\\d+)`).exec(words)?.[1] ?? '';
}
