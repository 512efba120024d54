import type { ActionTarget } from '../../../incidents/actions.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import type { ListedFailure } from '../../../incidents/lists.ts';
import { targetOf } from '../../../lookups/event.ts';
import { button, type MessageContent, option } from '../../kit/blocks.ts';
import { incidentChartButton, LOOK_UP, loadMoreButton, writeLookup } from '../../kit/buttons.ts';
import { AFFECTED, parseTargetAndOthers, writeActionTarget } from '../../kit/incident/incident-menu.ts';
import { incidentHeading } from '../../kit/incident/incident-words.ts';
import { kindName } from '../../kit/incident/kind-words.ts';
import { countWords, type ListRow, listMessage } from '../../kit/list.ts';
import { type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

export const MORE_EVENTS = 'incident.events-more';

/** `offset` is counted from 0. `upTo` limits it to the failures that the first answer knew. */
export interface EventsRequest extends ActionTarget {
  readonly upTo: number | null;
  readonly offset: number;
}

/** Only the person who asked sees it. */
export function eventsMessage(
  request: EventsRequest,
  now: IncidentNow,
  failures: readonly ListedFailure[],
): MessageContent {
  const { tally } = now;
  const { offset } = request;
  const total = Math.max(tally.failures, offset + failures.length);
  const { environment } = tally.kind;
  return listMessage({
    caption: (shown) => mrkdwn`${incidentHeading(now)} · ${countOf(shown, offset, total)}`,
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map((failure) => rowOf(failure, environment)),
    lookUp: LOOK_UP,
    buttons: (shown) => {
      const rest = { ...request, offset: offset + shown };
      return [
        ...loadMoreButton(MORE_EVENTS, shown > 0 && offset + shown < total ? writeEvents(rest) : null),
        button('View affected', AFFECTED, writeActionTarget(request)),
        incidentChartButton(kindName(tally), writeActionTarget(request)),
      ];
    },
  });
}

function countOf(shown: number, offset: number, total: number): Markup {
  if (shown === 0) return mrkdwn`these failures are no longer kept.`;
  return countWords('failure', { before: offset, shown, total });
}

function rowOf({ eventId, transactionId, subscriberId, occurredAt }: ListedFailure, environment: string): ListRow {
  const target = targetOf({ id: eventId, transactionId });
  return {
    cells: [transactionId, subscriberId ?? '', time(occurredAt, 'day')],
    choice: option(subscriberId ?? transactionId, writeLookup({ environment, target })),
  };
}

export function writeEvents(request: EventsRequest): string {
  return writeActionTarget(request, request.upTo === null ? '' : String(request.upTo), String(request.offset));
}

export function parseEvents(value: string): EventsRequest | null {
  const parsed = parseTargetAndOthers(value);
  const [upTo = '', offset = '', ...rest] = parsed?.others ?? [];
  if (parsed === null || rest.length > 0 || !/^\d{0,15}$/.test(upTo) || !/^\d{1,9}$/.test(offset)) return null;
  return { ...parsed.target, upTo: upTo === '' ? null : Number(upTo), offset: Number(offset) };
}
