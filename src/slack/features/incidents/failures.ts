import { max, subDays, subHours } from 'date-fns';
import { z } from 'zod';
import { ALL_FAILURES } from '../../../failures/filter.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { failuresOf, incidentOfFailures, type ListedFailure } from '../../../incidents/lists.ts';
import type { Environment } from '../../../lib/environment.ts';
import { targetOf } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { writeActionTarget } from '../../incident-view/incident-verbs.ts';
import { incidentHeading } from '../../incident-view/incident-words.ts';
import { button } from '../../kit/blocks.ts';
import { Count, Key, lookUpText, valueParser, writeValue } from '../../kit/buttons.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { failuresChartButton } from '../../router/failure-command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { AFFECTED } from './affected.ts';

export const MORE_FAILURES = 'incident.events-more';

export function failuresRoutes(ctx: SlackCtx): Route[] {
  return routesFor('everyone', [answerRoute(MORE_FAILURES, parseFailures, (request) => failures(ctx, request))]);
}

/** `upTo`: the newest failure of the first page. */
type FailuresRequest = { incidentId: number; upTo: number | null; offset: number };

export const parseFailures = valueParser<FailuresRequest>(
  z.tuple([Key, Key, Count]).transform(([incidentId, upTo, offset]) => ({ incidentId, upTo, offset })),
);

export async function failures({ db, now, environments }: SlackCtx, request: FailuresRequest): Promise<MessageContent> {
  const { incidentId } = request;
  const incident = await incidentOfFailures(db, incidentId, now());
  const { failures: listed, upTo } = await failuresOf(db, incidentId, { ...request, limit: ROWS_LOADED + 1 });
  return incidentFailuresMessage({ ...request, upTo }, incident, listed, environments);
}

export function incidentFailuresMessage(
  request: FailuresRequest & { upTo: number },
  incident: IncidentNow,
  failures: readonly ListedFailure[],
  environments: readonly Environment[],
): MessageContent {
  const { incidentId, upTo, offset } = request;
  const { environment, channel, provider } = incident;
  const filter = { ...ALL_FAILURES, channels: [channel], providers: provider === null ? [] : [provider] };
  const chartFrom = max([subDays(incident.asOf, 1), subHours(incident.startedAt, 1)]);
  const isMore = incident.relapses > 0 && failures.length > ROWS_LOADED;
  const total = isMore ? 'more' : Math.max(incident.failures, offset + failures.length);
  const more = (shown: number) => writeValue([incidentId, upTo, offset + shown].map(String));
  return listMessage({
    caption: (shown) => {
      const count = shown === 0 ? 'no failures stored any longer' : countWords('failure', { offset, shown, total });
      return mrkdwn`${count} · ${incidentHeading(incident, environments)}`;
    },
    columns: ['Transaction', 'Subscriber', 'When'],
    rows: failures.map(({ eventId: id, transactionId, subscriberId, occurredAt }) => ({
      cells: [transactionId, subscriberId ?? '', time(occurredAt, 'day')],
      choice: [
        subscriberId === null ? transactionId : `${transactionId} · ${subscriberId}`,
        lookUpText({ environment, target: targetOf({ id, transactionId }) }),
      ],
    })),
    buttons: (shown) => [
      shown > 0 && shown < failures.length && button('Load more', MORE_FAILURES, more(shown)),
      button('View affected', AFFECTED, writeActionTarget({ messageId: null, incidentId })),
      chartFrom < incident.lastAt && failuresChartButton({ environment, filter, from: chartFrom, to: null }),
    ],
  });
}
