import type { IncidentNow } from '../../../incidents/incident.ts';
import { type Affected, incidentOfFailures, mostAffected } from '../../../incidents/lists.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import type { SlackCtx } from '../../ctx.ts';
import { labelHint } from '../../incident-view/incident-row.ts';
import { parseActionTarget, writeActionTarget } from '../../incident-view/incident-verbs.ts';
import { incidentHeading } from '../../incident-view/incident-words.ts';
import { button } from '../../kit/blocks.ts';
import { countWords, listMessage, ROWS_LOADED } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { joined, mrkdwn, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import { sendCsv } from '../../router/csv-file.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';

export const AFFECTED = 'row.affected';
const AFFECTED_FILE = 'incident.affected-file';

export function affectedRoutes(ctx: SlackCtx): Route[] {
  const list = answerRoute(AFFECTED, parseActionTarget, ({ incidentId }) => affected(ctx, incidentId));
  const file = answerRoute(AFFECTED_FILE, parseActionTarget, ({ incidentId }, { userId }) =>
    sendAffected(ctx, incidentId, userId),
  );
  return [...routesFor('everyone', [list]), ...routesFor('members', [file])];
}

export async function affected({ db, now, environments }: SlackCtx, incidentId: number): Promise<MessageContent> {
  const incident = await incidentOfFailures(db, incidentId, now());
  return affectedMessage(incident, await mostAffected(db, incidentId, ROWS_LOADED + 1), environments);
}

export function affectedMessage(
  incident: IncidentNow,
  hit: readonly Affected[],
  environments: readonly Environment[],
): MessageContent {
  const { environment, subscribers, failures, relapses } = incident;
  // The rows are of the whole incident; its count is only of what failed since its last relapse.
  const total = relapses > 0 && hit.length > ROWS_LOADED ? 'more' : Math.max(subscribers, hit.length);
  const nobody = mrkdwn`${plural(failures, 'failure names', 'failures name')} no subscriber that is still kept`;
  const target = writeActionTarget({ messageId: null, incidentId: incident.id });
  return listMessage({
    caption: (shown) =>
      mrkdwn`${shown === 0 ? nobody : countWords('subscriber', { offset: 0, shown, total })} · ${joined([incidentHeading(incident, environments), labelHint(incident)], ' · ')}`,
    columns: ['Subscriber', 'Failures', 'Last', 'Workflow', 'Contexts'],
    rows: hit.map(({ subscriberId, failures, lastSeen, workflow, contexts }) => ({
      cells: [subscriberId, failures, time(lastSeen, 'day'), workflow, contexts],
      choice: [subscriberId, commandText(['events'], { subscriber: [subscriberId], env: [environment] })],
    })),
    buttons: (shown) => [shown > 0 && button('Download CSV', AFFECTED_FILE, target)],
  });
}

/** Some 2 MB, in memory: Slack requires the length before the first byte. */
const MOST_IN_FILE = 20_000;

async function sendAffected(ctx: SlackCtx, incidentId: number, userId: string): Promise<MessageContent> {
  const { environment, shared } = await incidentOfFailures(ctx.db, incidentId, ctx.now());
  const hit = await mostAffected(ctx.db, incidentId, MOST_IN_FILE + 1);
  const common = shared === null ? [] : [`${shared.label.kind} ${maskedId(shared.label.value)}`];
  const rows = hit.slice(0, MOST_IN_FILE).map(({ subscriberId, failures, firstSeen, lastSeen, ...newest }) => {
    const { workflow, transactionId, contexts } = newest;
    const seen = [firstSeen.toISOString(), lastSeen.toISOString()];
    return [subscriberId, `${failures}`, ...seen, workflow, transactionId, contexts, ...common];
  });
  const more = hit.length > MOST_IN_FILE ? [[`and more: a file holds ${MOST_IN_FILE} at most`]] : [];
  const head = ['subscriber', 'failures', 'first failed at', 'last failed at', 'workflow', 'transaction', 'contexts'];
  return sendCsv(ctx, userId, {
    name: `affected-${environment}-${incidentId}`,
    title: `Affected subscribers in ${labelled(environment, ctx.environments).label}`,
    lines: [[...head, ...common.map(() => 'nearly all have in common')], ...rows, ...more],
  });
}
