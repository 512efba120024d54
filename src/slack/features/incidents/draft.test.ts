import { expect, test } from 'vitest';
import { anIncident, at } from '../../slack.testing.ts';
import { draftOf } from './draft.ts';

const RESOLVED = { is: 'resolved', at: at(900), actor: null } as const;
const RECOVERING = { is: 'recovering', since: at(192) } as const;
const FIRST = { from: at(12), to: at(600) };
const NAMED = anIncident().workflows.map((share) => ({ ...share, workflowName: 'Order shipped' }));
const OUTAGE = {
  kind: 'unreadable',
  outage: { problem: null, uncheckedSince: at(12), gap: null },
  channel: '',
  workflows: [],
} as const;
const SILENCE = { kind: 'silence', channel: '', workflows: NAMED } as const;

test.each<[Parameters<typeof anIncident>[0], string]>([
  [
    {},
    'Identified: problems with email notifications\n\nSince Wednesday, 4 March 2026 at 13:00 (Europe/Berlin): some emails do not',
  ],
  [{ channel: 'sms', workflows: NAMED }, 'some text messages do not arrive.\nKinds of messages: Order shipped.'],
  [{ state: RESOLVED }, '\nWednesday, 4 March 2026, 13:00–13:03 (Europe/Berlin): some emails did not arrive.'],
  [{ state: RESOLVED, lastAt: at(50_000) }, 'Thursday, 5 March 2026 at 02:53 (Europe/Berlin): some emails did'],
  [{ verdict: 'stuck', failures: 1, failuresInAll: 1 }, '(Europe/Berlin): one email is delayed.'],
  [{ verdict: 'stuck', state: RESOLVED }, '(Europe/Berlin): some emails were delayed.'],
  [{ failures: 1, failuresInAll: 1 }, '(Europe/Berlin): one email does not arrive.'],
  [{ state: RECOVERING }, 'We have seen no new problems since. We are watching it.'],
  [{ state: RECOVERING, wentThrough: 3 }, 'New ones are arriving again. We are watching it.'],
  [
    { beganAt: at(3_600), earlier: [FIRST] },
    '\nWednesday, 4 March 2026, 13:00–13:10 and since 14:00 (Europe/Berlin): some emails do not',
  ],
  [
    { state: RESOLVED, beganAt: at(50_000), lastAt: at(50_600), earlier: [FIRST] },
    '\nWednesday, 4 March 2026, 13:00–13:10 and Thursday, 5 March 2026, 02:53–03:03 (Europe/Berlin): some emails did not',
  ],
  [
    { beganAt: at(50_000), earlier: [FIRST, FIRST, FIRST, FIRST, FIRST] },
    'Since Wednesday, 4 March 2026 at 13:00 (Europe/Berlin), with 5 interruptions: some',
  ],
  [
    SILENCE,
    'Investigating: problems with notifications\n\nSince Wednesday, 4 March 2026 at 13:00 (Europe/Berlin): some notifications of Order shipped may not be sent.\nWe are',
  ],
  [OUTAGE, 'we cannot see whether notifications arrive. Some may be delayed or missing.\nWe are working on it'],
  [{ ...OUTAGE, state: RESOLVED }, 'we could not see whether notifications arrived.'],
])('a draft for a status page says when, what and how it is: %j', (change, words) => {
  const incident = anIncident(change);
  const workflows = incident.workflows.map(({ workflow, workflowName }) => workflowName ?? workflow ?? '');
  expect(draftOf(incident, { workflows, worst: 'some' }, 'Europe/Berlin', null)).toContain(words);
});

test('a draft says if nearly all fail or did, by which provider, and whom it concerns', () => {
  const hit = { workflows: ['Order shipped'], worst: 'every' } as const;
  const drafted = (change: Parameters<typeof anIncident>[0], provider: string | null = null) =>
    draftOf(anIncident({ badness: 'some', ...change }), hit, 'UTC', provider);
  expect(drafted({ badness: 'every' })).toContain(': nearly all emails of these kinds do not arrive.\n');
  expect(drafted({ badness: 'every' }, 'SendGrid')).toContain(
    ': nearly all emails sent through SendGrid do not arrive.',
  );
  expect(drafted({})).toContain(': some emails do not arrive. For a time, nearly none did.');
  expect(drafted({ state: RESOLVED })).toContain(': nearly all emails of these kinds did not arrive.\n');
  const shared = { events: 19, total: 20, isOfNewest: false, usually: 0.2 };
  const acme = { ...shared, label: { kind: 'context', value: 'tenant:acme' } } as const;
  expect(drafted({ shared: acme })).toContain('\nNearly all of them are of tenant:acme.\n');
  const gmail = { ...shared, events: 20, label: { kind: 'domain', value: 'gmail.com' } } as const;
  expect(drafted({ shared: gmail })).toContain('\nAll of them are to addresses at gmail.com.\n');
});

test('a draft says what a state means for people who wait for a message', () => {
  const drafted = (change: Parameters<typeof anIncident>[0]) =>
    draftOf(anIncident(change), { workflows: [], worst: 'some' }, 'UTC', null);
  const again = 'If you still miss a code or a link from that time, please ask for a new one.';
  expect(drafted({ state: RESOLVED })).toContain(`This is resolved.\n${again}`);
  expect(drafted({ state: RECOVERING, wentThrough: 3 })).toContain(again);
  expect(drafted({ state: RECOVERING })).not.toContain(again);
  // Neither a code nor a link to log in comes in the app.
  expect(drafted({ state: RESOLVED, channel: 'in_app', provider: null })).toMatch(/\nThis is resolved\.$/);
  expect(drafted({ channel: 'in_app', provider: null })).toContain('post an update here.\nYou need not do anything.');
  expect(drafted({ state: { is: 'unconfirmed', since: at(192) } })).toContain('too few messages to be sure');
});
