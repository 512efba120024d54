import type { DigestRow } from '../../../alerts/content.ts';
import { explainCause } from '../../../causes/explain-cause.ts';
import { aChange, aDeploy, anIntegrationChange } from '../../../changes/changes.testing.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { IncidentCtx } from '../../incident-view/incident-row.ts';
import type { MessageContent } from '../../kit/message.ts';
import { aDigest, aRow, at, expectFit, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import type { ContentOf } from './content.ts';
import { digestMessage } from './digest-message.ts';

export const environment = { ...PRODUCTION, label: 'Production' };

/** A drawn digest, of which it is expected that Slack accepts it. */
export function messageOf(change: Partial<ContentOf<'digest'>>, options: Partial<IncidentCtx> = {}): MessageContent {
  const drawing = { environments: [environment], explainCause, ...options };
  const message = digestMessage(aDigest(change), drawing);
  expectFit(message);
  return message;
}

export const linesOf = (change: Partial<ContentOf<'digest'>>, options?: Partial<IncidentCtx>): string[] =>
  wordsOf(messageOf(change, options)).split('\n');

/** The lines of a digest with one row. */
export const rowLines = (incident: Partial<IncidentNow>, row: Partial<DigestRow> = {}): string[] =>
  linesOf({ rows: [aRow(incident, row)] });

/** Who did something, and when. */
export const ann = { actor: 'U0ANN', at: at(180) };
/** All attempts failed. */
export const total = { since: at(12), failed: 14, tried: 14 };
/** Everything that a row can have: who has it, a change before it, what its events have in common, … */
export const FULL: Partial<IncidentNow> = {
  headline: 'key expired',
  failures: 14,
  subscribers: 48,
  cause: { text: 'key expired (401)', key: 'key expired' },
  attempts: total,
  workflows: [
    { workflow: 'payment-failed', workflowName: null, failures: 4, critical: true, attempts: { failed: 4, tried: 5 } },
  ],
  moreWorkflows: 5,
  changedBefore: [anIntegrationChange(), aDeploy()].map((what) => aChange({ at: at(0), notBefore: at(0), what })),
  shared: { label: { kind: 'tag', value: 'acme' }, events: 14, total: 14, isOfNewest: false, usually: 0.26 },
  acknowledged: ann,
  assignedTo: 'U0BEN',
  note: { ...ann, text: 'new key not in vault yet' },
};
