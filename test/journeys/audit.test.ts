import { describe, expect, test, vi } from 'vitest';
import { ONCALL, type Person } from '../support/person.ts';
import { inWorld, type World } from '../support/world.ts';

const TOKEN = 'device-token-of-anna-that-nobody-should-see-9f3c';
const MIRRORED = { NOTIF_AUDIT_CHANNEL: ONCALL, NOTIF_DIGEST_CHANNEL: '' };

async function update(ann: Person, subscriber: string): Promise<void> {
  await ann.types(`/notif credentials ${subscriber}`);
  await ann.seesModal('New credentials of');
  await ann.fillsIn({ Provider: 'fcm' });
  await ann.seesModal('stored nowhere else');
  await ann.fillsIn({ 'Device tokens': TOKEN });
  await ann.submits();
  await ann.seesModal('is shown again before it is sent');
  await ann.submits();
}

const entries = (person: Person) => person.messages(ONCALL).filter(({ words }) => words.includes('credentials of'));

const settings = (person: Person) =>
  person.messages().filter(({ words }) => words.includes("set this channel's environment"));

describe('the audit trail', () => {
  test(
    'is shown page by page to operators and to nobody else',
    inWorld({ environments: ['staging', 'production'] }, async ({ ann, ben }) => {
      expect((await ann.asks('/notif audit')).words).toContain('Nobody changed anything since');
      await update(ann, 'user-1');
      await ann.seesModal('updated in staging');
      for (let changes = 1; changes <= 16; changes++) {
        await ann.types(`/notif env ${changes % 2 === 0 ? 'staging' : 'production'}`);
        await vi.waitFor(() => expect(settings(ann)).toHaveLength(changes), { timeout: 60_000 });
      }
      const newest = await ann.asks('/notif audit');
      expect(newest.words).toContain("✅ ⟨user U0ANN⟩ set the channel's environment to staging");
      expect(newest.words).not.toContain('updated credentials');
      await ann.clicks('Older', newest);
      const older = await ann.gets('✅ ⟨user U0ANN⟩ updated credentials of user-1 for fcm in staging');
      await ann.clicks('Newest', older);
      await ann.gets("set the channel's environment to staging");
      expect((await ann.asks('/notif audit since:1d env:production')).words).toContain(
        'Nobody changed anything in production',
      );
      expect((await ben.asks('/notif audit')).words).toContain('Only operators can do this.');
    }),
  );

  test(
    'is mirrored to a channel, with an entry for each change whatever its outcome',
    inWorld({ variables: MIRRORED }, async (world) => {
      const { ann, ben, service } = world;
      await update(ann, 'user-1');
      const done = await ben.sees('updated credentials of user-1 for fcm in production', ONCALL);
      expect(done.words).toContain('✅ ⟨user U0ANN⟩');
      service.faults.set('updateCredentials', { kind: 'status', status: 401 }, { times: 1 });
      await update(ann, 'user-2');
      await ben.sees('nothing was changed, the API key was refused', ONCALL);
      service.faults.set('updateCredentials', { kind: 'lost answer' }, { times: 1 });
      await update(ann, 'user-3');
      await ben.sees('outcome unknown: it may have gone through', ONCALL);
      expect(entries(ben)).toHaveLength(3);
      expect(
        entries(ben)
          .map(({ words }) => words)
          .join(),
      ).not.toContain('9f3c');
    }),
  );

  test(
    'is mirrored once when Slack loses its answer and retries, and the form is submitted twice',
    inWorld({ variables: MIRRORED }, async (world) => {
      const { ann, ben, slack, service } = world;
      service.faults.set('updateCredentials', { kind: 'slow', ms: 300 }, { times: 1 });
      slack.faults.next('chat.postMessage', { kind: 'reset', when: 'after' });
      await update(ann, 'user-1');
      slack.faults.redeliverLast();
      await ann.seesModal('updated in production');
      await world.log.until('message found in its channel after a lost answer');
      expect(entries(ben)).toHaveLength(1);
      expect(service.requests.count('updateCredentials')).toBe(1);
    }),
  );

  test(
    'is posted when its channel accepts messages again, and reports the problem until then',
    inWorld({ variables: MIRRORED }, async (world: World) => {
      const { ann, ben, log } = world;
      log.expects(/channel takes no messages of Notif/);
      await ann.removesBot(ONCALL);
      await update(ann, 'user-1');
      await log.until('channel takes no messages of Notif');
      expect(entries(ben)).toHaveLength(0);
      await ann.invitesBot(ONCALL);
      world.passes(5 * 60_000);
      await ben.sees('updated credentials of user-1', ONCALL);
    }),
  );
});
