import { describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import { GENERAL, ONCALL } from '../support/person.ts';
import { inWorld } from '../support/world.ts';

const HOUR = 60 * 60_000;

describe('a note about an incident', () => {
  test(
    'is visible to everybody, and shown again when the same cause comes back days later',
    inWorld({}, async ({ ann, ben, log, service, passes }) => {
      await log.until('events checked');
      await ann.types('/notif watch thread:on', GENERAL);
      await ann.sees('created a watch here', GENERAL);
      service.world.plantEvent(failed('email', { subscriber: 'user-1' }));
      await log.until('message posted', 2);
      const row = await ann.sees('1 person', ONCALL);
      const form = await ann.opens('Add a note…', row, 'Everyone who sees this incident sees the note');
      expect(form.words).toContain('Email via SendGrid fails');
      await ann.fillsIn({ Note: 'key had been rotated in vault, not here <!channel> ann@example.com' });
      expect(await ann.submits()).toEqual([]);
      const words = '“key had been rotated in vault, not here <!channel> a•••@example.com”';
      await ann.gets(`📝 Note added: ${words}`, ONCALL);
      await ben.sees(`📝 ${words} ⟨user U0ANN⟩`, ONCALL);
      await ben.sees(`📝 Note by ann at`, GENERAL);
      const number = /#\d+/.exec(row.words)?.[0] ?? '';
      const answer = await ben.asks(`/notif note ${number} since: it "works" again`, ONCALL);
      expect(answer.words).toContain('📝 Note added: “since: it "works" again”');
      await ben.asks(`/notif resolve ${number}`, ONCALL);

      passes(50 * HOUR);
      service.world.plantEvent(failed('email', { subscriber: 'user-2' }));
      const again = await ann.sees('📝 last time (', ONCALL);
      expect(again.words).toMatch(/📝 last time \([^)]+\): “since: it "works" again”/);
      const history = await ben.asks('/notif history workflow:order-shipped', ONCALL);
      expect(history.words).toMatch(
        /still failing.*resolved by ⟨user U0BEN⟩ at .*⟨user U0BEN⟩: “since: it "works" again”/s,
      );
      const [, first = ''] = /Look up …\n.*\n(.*)/.exec(history.words) ?? [];
      await ben.picks(first, 'incident.look-up', history);
      expect((await ben.gets('📝 “since: it "works" again” ⟨user U0BEN⟩', ONCALL)).words).toMatch(
        /\n📝 ⟨user U0ANN⟩, /,
      );
      const none = await ben.asks('/notif history channel:sms', ONCALL);
      expect(none.words).toMatch(/⚪ No such incidents found in .*⚠️ Not checked: /s);
      expect((await ann.asks(`/notif note ${number}`, ONCALL)).words).toContain('There is no text in this note.');
    }),
  );
});
