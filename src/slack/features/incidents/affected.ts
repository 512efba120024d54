import { type Affected, type AffectedLabel, mostAffected, mostAffectedLabels } from '../../../incidents/affected.ts';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, incidentIn, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import type { SlackCtx } from '../../ctx.ts';
import { labelHint } from '../../incident-view/incident-row.ts';
import { incidentHeading } from '../../incident-view/incident-title.ts';
import { button } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-values.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { joined, listed, mrkdwn, named, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';
import { EVENTS, failuresAnswer, parseFailures } from './incident-failures.ts';
import { PROVIDER_FILE, providerFileRoutes } from './provider-file.ts';

const FILE = 'incident.affected-file';

const MOST_LABELS = 5;
/** Of subscribers: a file is built in memory. */
const MOST_IN_FILE = 20_000;

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

async function sendAffected(ctx: SlackCtx, ref: IncidentRef, userId: string): Promise<MessageContent> {
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
