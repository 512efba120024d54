import { describe, expect, test } from 'vitest';
import { refOf } from '../../../incidents/incident.ts';
import { cpuMs } from '../../../lib/cpu.testing.ts';
import { FreeText } from '../../../lib/text/scrub.ts';
import type { FoundEvent } from '../../../lookups/event.ts';
import type { Repeat } from '../../../sendings/sent-again.ts';
import { aDetail, aFailedEvent, aJob, anEvent, aSubscriber, at, aWorkflow } from '../../../service/event.testing.ts';
import { aMessage } from '../../../service/lists.testing.ts';
import { ServiceError } from '../../../service/service-error.ts';
import { ROW_ACTION, writeRowTarget } from '../../incident-view/row-controls.ts';
import { forEveryone } from '../../kit/for-everyone.ts';
import { withoutShare } from '../../kit/reply.ts';
import { anIncident, buttonsOf, expectFit, HOSTILE, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { foundEvent } from './event-card.testing.ts';
import { eventCard } from './event-card.ts';

const card = (event: FoundEvent) => eventCard(event, []);

describe('an event’s card', () => {
  test('shows what happened to what, where and why, then each step', () => {
    const jobs = [
      aJob({ id: 'j1', type: 'in_app', provider: null, updatedAt: at(1) }),
      aJob({
        id: 'j2',
        status: 'failed',
        updatedAt: at(5),
        details: [aDetail({ detail: 'Mailbox full', createdAt: at(2) })],
      }),
    ];
    const shown = card(foundEvent(anEvent({ jobs }), [aMessage()]));
    expect(wordsOf(shown).split('\n')).toEqual([
      '🔴 order-shipped for user-1: email failed, in-app delivered · production',
      'Email · SendGrid: Mailbox full',
      '→ Recipient: Reach the recipient another way, or ask them to change it. Documentation',
      'received 12:00:00 UTC → in-app ✅ 12:00:01 UTC → email 🔴 12:00:05 UTC',
      'A. L. · a•••@example.com · transaction txn_0001',
      'Send again',
      'Message text',
      "Provider's words",
      'Share',
      'Refresh',
      'View raw',
      'Messages',
      'Details',
      'Workflow Order shipped · Event 65f000000000000000000001 · Received 2026-03-04 12:00 UTC',
      '✅ in-app — delivered · 12:00:01 UTC',
      '🔴 email · SendGrid — failed · 12:00:05 UTC',
      '      Failed (internal, 12:00:02 UTC)',
      "      💡 The recipient's mailbox is full · sending again can help after 12 h",
      'Messages',
      '✅ In-app: sent · 12:00:01 UTC · to a•••@example.com · seen 12:00:30 UTC',
    ]);
    expect(shown.text).toContain('*order-shipped* for `user-1`: email failed, in-app delivered · *production*\nEmail');
    expectFit(shown);
    const event = foundEvent(anEvent({ jobs }));
    const [{ cause } = anIncident()] = event.judgment.failures;
    const forAll = anIncident({ cause, attempts: { since: at(0), failed: 9, tried: 9 } });
    expect(wordsOf(eventCard(event, [forAll]))).toContain('→ Fails for nearly everyone, so first check');
    const other = { ...forAll, provider: 'ses' };
    expect(wordsOf(eventCard(event, [other]))).toContain('→ Recipient: ');
  });

  test('of what was sent again says by whom and what became of it, and of the new one what it repeats', () => {
    const repeat: Repeat = {
      eventKey: '65f000000000000000000001',
      transactionId: `resend-${'0'.repeat(24)}`,
      state: 'sent',
      actor: 'U0BEN',
      at: at(3_600),
    };
    const jobs = [aJob({ details: [aDetail({ status: 'Success', createdAt: at(3_618) })], updatedAt: at(3_618) })];
    const seen = foundEvent(anEvent({ jobs, transactionId: repeat.transactionId, createdAt: at(3_601) }));
    const first = eventCard(foundEvent(aFailedEvent()), [], {
      repeats: { sentAgain: { repeat, seen }, repeated: null },
    });
    expect(wordsOf(first)).toContain('🔁 Sent again 13:00 UTC by <@U0BEN> · ✅ delivered 13:00:18 UTC\nLook up');
    const unread = eventCard(foundEvent(aFailedEvent()), [], {
      repeats: { sentAgain: { repeat, seen: null }, repeated: null },
    });
    expect(wordsOf(unread)).toContain('🔁 Sent again 13:00 UTC by <@U0BEN> · ⏳ in progress');
    const second = eventCard(seen, [], { repeats: { sentAgain: null, repeated: repeat } });
    expect(wordsOf(second)).toContain('🔁 Repeats 65f000000000000000000001, sent again 13:00 UTC by <@U0BEN>\nLook up');
    for (const shown of [first, unread, second]) expectFit(shown);
  });

  test('shows the incidents that it is part of, with their actions, and when one was resolved', () => {
    const incident = anIncident({ id: 17 });
    const card = eventCard(foundEvent(aFailedEvent()), [incident]);
    expect(wordsOf(card)).toContain('Part of #17: Email via SendGrid fails');
    const line = card.blocks.find(
      (block) => block.block_id === writeRowTarget({ messageId: null, ...refOf(incident) }),
    );
    expect(line).toMatchObject({ accessory: { type: 'overflow', action_id: ROW_ACTION } });
    expectFit(card);
    const note = { actor: 'U0ANN', at: at(600), text: 'new key' };
    const over = { ...incident, state: { is: 'resolved', at: at(600), actor: null }, note } as const;
    const later = wordsOf(eventCard(foundEvent(aFailedEvent()), [over]));
    expect(later).toMatch(/Part of #17: Email via SendGrid failed · .* · ✅ resolved at 12:10 UTC · .* · 📝 “new key”/);
    const retried = [aDetail(), aDetail({ id: 'd2', status: 'Success', isRetry: true, createdAt: at(9) })];
    const fine = wordsOf(eventCard(foundEvent(anEvent({ jobs: [aJob({ details: retried })] })), [incident]));
    expect(fine).not.toContain('Part of #17');
  });

  test('says of a step that was sent and then failed or canceled why it counts as it does', () => {
    const sent = aDetail({ status: 'Success', detail: 'Message sent' });
    const lines = (...statuses: string[]) =>
      wordsOf(
        card(
          foundEvent(anEvent({ jobs: statuses.map((status, id) => aJob({ id: `${id}`, status, details: [sent] })) })),
        ),
      );
    expect(lines('failed')).toMatch(
      /^🔴 .*: email failed · .*\nEmail · SendGrid: The service says that it was sent, then failed it\n→ Look for/,
    );
    expect(lines('failed')).not.toContain('gives no details');
    expect(lines('completed', 'failed')).toContain('email failed');
    expect(lines('canceled')).toContain('The service says that it was sent, then canceled it');
  });

  test('of 5,000 steps fits, takes no long time and says how many more there are', () => {
    const jobs = Array.from({ length: 5_000 }, (_, n) => {
      const failed = aDetail({ raw: `{"message":"User ${n} unknown"}` });
      const stopped = aDetail({ detail: 'Step was canceled because a previous step failed' });
      return aJob({ id: `${n}`, status: n % 2 ? 'failed' : 'canceled', details: [n % 2 ? failed : stopped] });
    });
    const found = foundEvent(anEvent({ jobs }));
    const begun = cpuMs();
    const drawn = eventCard(
      found,
      Array.from({ length: 12 }, (_, id) => anIncident({ id })),
    );
    expect(cpuMs() - begun).toBeLessThan(1_500);
    expectFit(drawn);
    expect(wordsOf(drawn)).toContain('→ 4,990 more');
    expect(wordsOf(drawn)).toMatch(/… and \d+ more lines, 4,900 more steps in View raw/);
    expect(wordsOf(drawn)).toContain('… and more incidents');
  });

  test.each([
    [{ mayHideFailures: true }, "⚠️ Incomplete: the answer doesn't show all its steps"],
    [{ jobs: [], listsSteps: false }, "⚠️ Incomplete: the answer doesn't show all its steps"],
  ])('says that the outcome is not shown if a failure may be in what is missing (%j)', (change, reason) => {
    const lines = wordsOf(card(foundEvent(anEvent(change)))).split('\n');
    expect(lines[0]).toMatch(/^❔ order-shipped for user-1: (email )?outcome not shown · production$/);
    expect(lines[1]).toBe(reason);
    expect(lines.join('\n')).not.toContain('delivered');
  });

  test('of an event with a part that is missing shows the failures that are there', () => {
    const jobs = [aJob({ id: 'j1', type: 'in_app', provider: null }), ...aFailedEvent().jobs];
    const shown = card(foundEvent(anEvent({ jobs, mayHideFailures: true })));
    const lines = wordsOf(shown).split('\n');
    expect(lines[0]).toBe('🔴 order-shipped for user-1: email failed, in-app outcome not shown · production');
    expect(lines).toContainEqual(expect.stringMatching(/^❔ in-app — outcome not shown/));
  });

  test('says why nothing was sent on one channel though another delivered', () => {
    const details = [aDetail({ status: 'Warning', detail: 'Subscriber has no email address' })];
    const jobs = [aJob({ id: 'j1', type: 'in_app', provider: null }), aJob({ id: 'j2', status: 'canceled', details })];
    const lines = wordsOf(card(foundEvent(anEvent({ jobs })))).split('\n');
    expect(lines.slice(0, 2)).toEqual([
      '✅ order-shipped for user-1: email undeliverable, in-app delivered · production',
      'Email: Subscriber has no email address',
    ]);
  });

  test('explains each provider that refused a push message which another one delivered', () => {
    const selected = (provider: string) => ({ provider, identifier: provider, wanted: null });
    const choosing = (id: string, provider: string) =>
      aDetail({ id, status: 'Pending', detail: `${provider} provider was selected`, selected: selected(provider) });
    const details = [
      choosing('a', 'fcm'),
      aDetail({ id: 'b', detail: 'Unexpected provider error', raw: '{"message":"timeout of 5000ms exceeded"}' }),
      choosing('c', 'expo'),
      aDetail({ id: 'd', detail: 'Unexpected provider error', raw: '{"message":"getaddrinfo ENOTFOUND exp.host"}' }),
      choosing('e', 'apns'),
      aDetail({ id: 'f', status: 'Success', detail: 'Message sent' }),
    ];
    const words = wordsOf(card(foundEvent(anEvent({ jobs: [aJob({ type: 'push', provider: 'apns', details })] }))));
    expect(words).toContain('push partly failed');
    expect(words).toContain('🔴 push · FCM, Expo, APNs — partly failed');
    expect(words.match(/💡/g)).toHaveLength(2);
  });

  test('says that some messages may be missing', () => {
    const words = wordsOf(card({ ...foundEvent(anEvent()), messages: { items: [], hasMore: true, error: null } }));
    expect(words).toContain('Some messages may be missing here.');
  });

  test('says why its messages are missing', () => {
    const error = new ServiceError('production', 'listMessages', { kind: 'gateway', status: 502 });
    const shown = card({ ...foundEvent(anEvent()), messages: { items: [], hasMore: false, error } });
    expect(wordsOf(shown)).toContain("⚠️ Its messages are missing here. Couldn't read from production");
  });

  test('links to the dashboard if there is one', () => {
    const environment = { ...PRODUCTION, dashboardUrl: 'https://dashboard.example.com' };
    const shown = card({ ...foundEvent(anEvent()), environment });
    expect(JSON.stringify(shown.blocks)).toContain('activity/workflow-runs?activityItemId=65f000000000000000000001');
    const unnamed = card({ ...foundEvent(anEvent({ serviceEnvironmentId: null })), environment });
    expect(JSON.stringify(unnamed.blocks)).not.toContain('activity/workflow-runs');
  });

  test('has no Share button in a modal, which has no channel', () => {
    expect(buttonsOf(withoutShare(card(foundEvent(anEvent()))))).not.toContain('Share');
  });

  test('is shared without buttons for changes, with the name of the person who shared it', () => {
    const shared = forEveryone(card(foundEvent(aFailedEvent(), [aMessage()])), 'U0ANN');
    expect(buttonsOf(shared)).toEqual(['Look up']);
    expect(wordsOf(shared)).toContain('Shared by <@U0ANN>');
    expectFit(shared);
  });

  test.each([HOSTILE, '&'.repeat(900), '"\\'.repeat(450)])(
    'fits Slack’s limits and escapes whatever the service returns: %#',
    (hostile) => {
      const details = Array.from({ length: 5 }, (_, n) =>
        aDetail({ id: `d${n}`, detail: hostile.repeat(500), raw: 'x'.repeat(100_000) }),
      );
      const jobs = Array.from({ length: 40 }, (_, n) =>
        aJob({ id: `j${n}`, status: 'failed', stepName: hostile, provider: hostile, details }),
      );
      const names = Array.from({ length: 40 }, (_, n) => `${hostile}${n}`);
      const event = anEvent({
        jobs,
        transactionId: hostile.repeat(9),
        workflow: aWorkflow({ identifier: hostile, name: hostile }),
        subscriber: aSubscriber(hostile),
        tags: names,
        topicKeys: names,
        contextKeys: names,
        severity: hostile,
      });
      const messages = Array.from({ length: 60 }, () =>
        aMessage({ status: hostile, errorText: new FreeText(hostile.repeat(90)) }),
      );
      const shown = card(foundEvent(event, messages));
      expectFit(shown);
      expect(wordsOf(shown)).toMatch(/… and \d+ more lines? in View raw/);
    },
  );
});

test('a card has no menu without an entry, which Slack would refuse', () => {
  expectFit(card(foundEvent(anEvent({ id: null, transactionId: 'x'.repeat(150) }))));
});
