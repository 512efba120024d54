import { expect, test } from 'vitest';
import { anIncident, at } from '../../slack.testing.ts';
import { draftOf } from './draft.ts';

const RESOLVED = { is: 'resolved', at: at(900), actor: null } as const;
const RECOVERING = { is: 'recovering', since: at(192) } as const;
const NAMED = anIncident().workflows.map((share) => ({ ...share, workflowName: 'Order shipped' }));
const OUTAGE = { outage: { problem: null, uncheckedSince: at(12), gap: null }, channel: '', workflows: [] };

test.each<[Parameters<typeof anIncident>[0], string]>([
  [{}, 'Identified: problems with email notifications\n\nSince 13:00 (UTC+1) on Wednesday 4 March, some emails do not'],
  [{ channel: 'sms', workflows: NAMED }, 'some text messages do not arrive.\nKinds of messages: Order shipped.'],
  [{ state: RESOLVED }, 'Between 13:00 and 13:03 (UTC+1) on Wednesday 4 March, some emails did not arrive'],
  [{ state: RESOLVED, lastAt: at(50_000) }, 'Between 13:00 (UTC+1) on Wednesday 4 March and 02:53 (UTC+1) on Thursday'],
  [{ state: RECOVERING }, 'We have seen no new problems since. We are watching it.'],
  [{ state: RECOVERING, wentThrough: 3 }, 'New ones are arriving again. We are watching it.'],
  [OUTAGE, 'we cannot see whether notifications arrive. Some may be delayed or missing.\nWe are working on it'],
  [{ ...OUTAGE, state: RESOLVED }, 'we could not see whether notifications arrived.'],
])('a draft for a status page says when, what and how it is: %j', (change, words) => {
  expect(draftOf(anIncident(change), 'Europe/Berlin', null).replaceAll('Europe/Berlin', 'UTC+1')).toContain(words);
});
