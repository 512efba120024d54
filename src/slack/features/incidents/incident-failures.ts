import { max, subDays, subHours } from 'date-fns';
import { z } from 'zod';
import { failuresOf, type ListedFailure } from '../../../incidents/affected.ts';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import type { Environment } from '../../../lib/environment.ts';
import { targetOf } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { button } from '../../kit/blocks.ts';
import { CountText, IdText, IncidentText, valueParser, writeValue } from '../../kit/button-values.ts';
import { lookUpText } from '../../kit/buttons.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { failuresChartButton } from '../../router/failure-command.ts';

/** Shows an incident's failures, or more of them. */
export const EVENTS = 'incident.events-more';

/** A page of an incident's failures. `upTo` is the first page's newest failure, null on that page itself. */
type FailuresRequest = IncidentRef & { upTo: number | null; offset: number };

export const parseFailures: (value: string) => FailuresRequest | null = valueParser(
  z
    .tuple([IncidentText, IdText.optional(), CountText.optional()])
    .transform(([ref, upTo = null, offset = 0]) => ({ ...ref, upTo, offset })),
);

/** Lists the failures of an incident. */
export async function failuresAnswer(
  { db, now, environments }: SlackCtx,
  request: FailuresRequest,
): Promise<MessageContent> {
  const incident = await incidentNumbered(db, request, now());
  const { failures: listed, upTo } = await failuresOf(db, incident.id, { ...request, limit: ROWS_LOADED + 1 });
  return incidentFailuresMessage({ ...request, upTo }, incident, listed, environments);
}

export function incidentFailuresMessage(
  { upTo, offset }: Pick<FailuresRequest, 'offset'> & { upTo: number },
  incident: IncidentNow,
  failures: readonly ListedFailure[],
  environments: readonly Environment[],
): MessageContent {
  const { environment, channel, provider } = incident;
  const filter = { ...ALL_FAILURES, channels: [channel], providers: provider === null ? [] : [provider] };
  // An hour before it shows how it began. Of a long one, the last day is shown.
  const chartFrom = max([subDays(incident.asOf, 1), subHours(incident.beganAt, 1)]);
  // The list has all of the incident, whose own count begins with its last relapse.
  const isMore = incident.outbreak > 1 && failures.length > ROWS_LOADED;
  const total = isMore ? 'more' : Math.max(incident.failures, offset + failures.length);
  return listMessage({
    caption: (shown) => {
      const count = shown === 0 ? 'no failures stored any longer' : countWords('failure', { offset, shown, total });
      return mrkdwn`${count} · ${incidentHeading(incident, environments)}`;
    },
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map(({ eventId: id, transactionId, subscriberId, occurredAt }) => ({
      cells: [transactionId, subscriberId ?? '', time(occurredAt)],
      lookUp: [
        subscriberId === null ? transactionId : `${transactionId} · ${subscriberId}`,
        lookUpText({ environment, target: targetOf({ id, transactionId }) }),
      ],
    })),
    buttons: (shown) => [
      shown > 0 &&
        shown < failures.length &&
        button('Load more', EVENTS, writeValue([writeIncidentRef(refOf(incident)), `${upTo}`, `${offset + shown}`])),
      chartFrom < incident.lastAt && failuresChartButton({ environment, filter, from: chartFrom, to: null }),
    ],
  });
}
