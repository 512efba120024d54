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
  expect(draftOf(incident, workflows, 'Europe/Berlin', null)).toContain(words);
});
