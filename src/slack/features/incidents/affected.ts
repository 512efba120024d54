import { max, subDays, subHours } from 'date-fns';
import { z } from 'zod';
import {
  type Affected,
  type AffectedLabel,
  failuresOf,
  type ListedFailure,
  mostAffected,
  mostAffectedLabels,
} from '../../../incidents/affected.ts';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, incidentIn, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { ALL_FAILURES } from '../../../judging/filter.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { targetOf } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import { labelHint } from '../../incident-view/incident-row.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { button } from '../../kit/blocks.ts';
import { CountText, IdText, IncidentText, valueParser, writeValue } from '../../kit/button-values.ts';
import { lookUpText } from '../../kit/buttons.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { joined, listed, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import { failuresChartButton } from '../../router/failure-command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { PROVIDER_FILE, providerFileRoutes } from './provider-file.ts';

export const EVENTS = 'incident.events-more';
const FILE = 'incident.affected-file';

export function affectedCommand(ctx: SlackCtx): Command {
  return {
    word: 'affected',
    purpose: 'incident',
    usage: '<incident>',
    about:
      'who is hit by an incident, how often, and what they have in common; also as a CSV, or a file for the provider',
    examples: ['#17'],
    for: 'everyone',
    filters: [],
    answer: ({ words }) => affectedAnswer(ctx, incidentIn(words, 'affected')),
  };
}

export function affectedRoutes(ctx: SlackCtx): Route[] {
  return [
    ...routesFor('everyone', [answerRoute(EVENTS, parseFailures, (request) => failuresAnswer(ctx, request))]),
    ...providerFileRoutes(ctx),
    ...routesFor('members', [answerRoute(FILE, parseFailures, (ref, { userId }) => sendAffected(ctx, ref, userId))]),
  ];
}

/** `upTo`, the first page's newest failure, is null on that page. */
type FailuresRequest = IncidentRef & { upTo: number | null; offset: number };

export const parseFailures = valueParser(
  z
    .tuple([IncidentText, IdText.optional(), CountText.optional()])
    .transform(([ref, upTo = null, offset = 0]) => ({ ...ref, upTo, offset })),
);

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
  const chartFrom = max([subDays(incident.asOf, 1), subHours(incident.beganAt, 1)]);
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

const MOST_LABELS = 5;

export async function affectedAnswer({ db, now, environments }: SlackCtx, ref: IncidentRef): Promise<MessageContent> {
  const incident = await incidentNumbered(db, ref, now());
  const hit = await mostAffected(db, incident.id, ROWS_LOADED + 1);
  return affectedMessage(incident, hit, environments, await mostAffectedLabels(db, incident.id, MOST_LABELS + 1));
}

export function affectedMessage(
  incident: IncidentNow,
  hit: readonly Affected[],
  environments: readonly Environment[],
  labels: readonly AffectedLabel[] = [],
): MessageContent {
  const { environment, subscribers, failures, outbreak, shared } = incident;
  // The rows are of the whole incident, its count only since its last relapse.
  const total = outbreak > 1 && hit.length > ROWS_LOADED ? 'more' : Math.max(subscribers, hit.length);
  const nobody = mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber that is still kept`;
  const target = writeValue([writeIncidentRef(refOf(incident))]);
  const files = [button('Download CSV', FILE, target), button('For the provider', PROVIDER_FILE, target)];
  const names = labels.map((affected) => mrkdwn`${named(maskedId(affected.label))} ${affected.subscribers}`);
  return listMessage({
    caption: (shown) => {
      const count = shown === 0 ? nobody : countWords('subscriber', { shown, total });
      return joined([count, incidentHeading(incident, environments), labelHint(incident)]);
    },
    columns: ['Subscriber', 'Failures', 'Last', 'Workflow'],
    rows: hit.map(({ subscriberId, failures, lastSeen, workflow, contexts }) => ({
      cells: [subscriberId, failures, time(lastSeen), joined([workflow, contexts])],
      lookUp: [subscriberId, commandText(['events'], { subscriber: [subscriberId], env: [environment] })],
    })),
    notes: [
      names.length > (shared ? 1 : 0) && mrkdwn`Subscribers by context and domain: ${listed(names, ', ', MOST_LABELS)}`,
    ],
    buttons: (shown) => [button('View events', EVENTS, target), ...(shown > 0 ? files : [])],
  });
}

const MOST_IN_FILE = 20_000;

async function sendAffected(ctx: SlackCtx, ref: IncidentRef, userId: string) {
  const { id, environment, shared } = await incidentNumbered(ctx.db, ref, ctx.now());
  const hit = await mostAffected(ctx.db, id, MOST_IN_FILE + 1);
  const sharedLabel = shared === null ? [] : [`${shared.label.kind} ${maskedId(shared.label.value)}`];
  const rows = hit.slice(0, MOST_IN_FILE).map((row) => {
    const { subscriberId, failures, firstSeen, lastSeen, workflow, transactionId, contexts } = row;
    const seen = [firstSeen.toISOString(), lastSeen.toISOString()];
    return [subscriberId, `${failures}`, ...seen, workflow, transactionId, contexts, ...sharedLabel];
  });
  const more = hit.length > MOST_IN_FILE ? [[`and more: a file holds ${MOST_IN_FILE} at most`]] : [];
  const head = ['subscriber', 'failures', 'first failed at', 'last failed at', 'workflow', 'transaction', 'contexts'];
  return sendCsv(ctx, userId, {
    name: `affected-${environment}-${id}`,
    title: `${labeled(environment, ctx.environments).label} #${id}: affected subscribers`,
    lines: [[...head, ...sharedLabel.map(() => 'nearly all have in common')], ...rows, ...more],
  });
}
