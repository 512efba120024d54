import type { NotRechecked } from '../../domain/polling/check.ts';
import { type Markup, mrkdwn, plural } from '../blocks/text.ts';

/** Lists the events that were checked before the question but not again for it. */
export function notRecheckedLines({ inProgress, settled }: NotRechecked): Markup[] {
  return [
    ...(inProgress === 0 ? [] : [mrkdwn`⏳ Not rechecked for this answer: ${plural(inProgress, 'event')} in progress`]),
    ...(settled === 0 ? [] : [mrkdwn`⏳ Not rechecked for late failures: ${plural(settled, 'finished event')}`]),
  ];
}
