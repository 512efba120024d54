import { describe, expect, test, vi } from 'vitest';
import type { Person } from '../support/person.ts';
import { inWorld, POLLS_ONCE } from '../support/world.ts';

const TOKEN = 'device-token-of-anna-that-nobody-should-see-9f3c';

async function update(ann: Person, subscriber: string): Promise<void> {
  await ann.types(`/notif credentials ${subscriber}`);
  await ann.seesModal('New credentials of');
  await ann.fillsIn({ Provider: 'fcm', 'Device tokens': TOKEN });
  await ann.submits();
}

const settings = (person: Person) =>
  person.messages().filter(({ words }) => words.includes("set this channel's environment"));

describe('the audit trail', () => {
  test(
    'is shown to operators and to nobody else',
    inWorld({ environments: ['staging', 'production'], variables: POLLS_ONCE }, async ({ ann, ben }) => {
      expect((await ann.asks('/notif audit')).words).toContain('No changes since');
      await update(ann, 'user-1');
      await ann.seesModal('updated in staging');
      await ann.types('/notif env production');
      await vi.waitFor(() => expect(settings(ann)).toHaveLength(1), { timeout: 60_000 });
      const { words } = await ann.asks('/notif audit');
      expect(words).toContain("⟨user U0ANN⟩ | set the channel's environment to production | – | ✅ done");
      expect(words).toContain('⟨user U0ANN⟩ | updated credentials of user-1 for fcm | staging | ✅ done');
      expect((await ann.asks('/notif audit since:1d env:production')).words).toContain('No changes in production');
      expect((await ben.asks('/notif audit')).words).toContain('Only operators can do this.');
    }),
  );
});
