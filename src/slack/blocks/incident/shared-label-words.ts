import type { IncidentNow } from '../../../domain/incidents/incident-now.ts';
import { idCode } from '../shown-id.ts';
import { type Markup, mrkdwn, plural } from '../text.ts';
import { percent } from './group-words.ts';

export function sharedLabelLine({ shared }: Pick<IncidentNow, 'shared'>): Markup[] {
  if (shared === null) return [];
  const { label, events, of, usually, isOfNewest } = shared;
  const count = events === of ? (isOfNewest ? 'All of' : 'All') : `${events} of`;
  const failed = mrkdwn`${isOfNewest ? 'the last ' : ''}${plural(of, 'failed event')}`;
  return [
    mrkdwn`🏷️ ${count} ${failed}: ${label.kind} ${idCode(label.value, 'everyone')} (${percent(usually, 1)} of all events)`,
  ];
}
