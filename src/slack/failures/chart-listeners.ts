import { rangeOfIncident } from '../../domain/charts/chart.ts';
import { type Environment, environmentNamed, labelled } from '../../domain/environment.ts';
import type { CheckNow } from '../../domain/polling/check.ts';
import type { ActionTarget } from '../../incidents/actions.ts';
import { incidentNow } from '../../incidents/lists.ts';
import type { Database } from '../../store/database/database.ts';
import { type ChartRequest, type ChartStore, chartFailures } from '../../use-cases/lookups/chart-failures.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { EventPages } from '../../use-cases/subscribers-with.ts';
import { unseenWorkflows, type WorkflowNamesStore } from '../../use-cases/unseen-workflows.ts';
import { button, type MessageContent } from '../blocks/blocks.ts';
import { CHART, INCIDENT_CHART } from '../blocks/buttons.ts';
import { type FailureRequest, parseRequest, writeRequest } from '../blocks/failure-request.ts';
import { parseActionTarget, writeActionTarget } from '../blocks/incident/incident-menu.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import { unseenMessage } from '../blocks/words/unseen-names.ts';
import type { ActionInteraction, Requester } from '../interactions/interaction.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import {
  type ChartOptions,
  type ChartSubjectWords,
  chartMessage,
  filterSubject,
  incidentSubject,
} from './chart-message.ts';

export interface ChartParts extends ZoneParts, SharingParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => EventPages;
  readonly store: ChartStore & WorkflowNamesStore;
  readonly db: Database;
  readonly checkNow: CheckNow;
  readonly now: () => Date;
}

const SHARE = 'failures.share-chart';
const SHARE_INCIDENT = 'failures.share-incident-chart';

export function chartRoutes(parts: ChartParts): Route[] {
  const shown = (chart: (askedBy: AskedBy) => Promise<MessageContent>, { reply, userId }: ActionInteraction) =>
    chart({ userId, reader: readerOf(reply) }).then(reply.show);
  const sharedBy = (reader: Reader) => ({ userId: reader.is === 'channel' ? reader.sharedBy : '', reader });
  return routesFor('everyone', [
    actionRoute(CHART, parseRequest, (request, interaction) =>
      shown((by) => failuresChart(request, by, parts, null), interaction),
    ),
    actionRoute(INCIDENT_CHART, parseActionTarget, (target, interaction) =>
      shown((by) => incidentChart(target, by, parts), interaction),
    ),
    ...shareRoutes(
      SHARE,
      parseRequest,
      (request, reader) => failuresChart(request, sharedBy(reader), parts, null),
      parts,
    ),
    ...shareRoutes(
      SHARE_INCIDENT,
      parseActionTarget,
      (target, reader) => incidentChart(target, sharedBy(reader), parts),
      parts,
    ),
  ]);
}

/** Failures are checked first, like those of `/notif failures`. */
export async function answerChart(
  request: FailureRequest,
  { reply, userId }: Requester,
  parts: ChartParts,
): Promise<void> {
  await reply.show(await failuresChart(request, { userId, reader: readerOf(reply) }, parts, parts.checkNow));
}

interface AskedBy {
  readonly userId: string;
  readonly reader: Reader;
}

/** `checkNow` is null if the events were checked just before. */
async function failuresChart(
  asked: FailureRequest,
  by: AskedBy,
  parts: ChartParts,
  checkNow: CheckNow | null,
): Promise<MessageContent> {
  const { environment: name, filter, from, to } = asked;
  const environment = environmentNamed(name, parts.environments);
  const subject = { is: 'filter', filter } as const;
  const chart = await chartFailures({ environment: name, range: { from, to }, subject }, { ...parts, checkNow });
  const unseen = await unseenWorkflows(filter.workflows, [environment], parts.store);
  if (unseen.length > 0) return unseenMessage(unseen, environment);
  const share = button('Share', SHARE, writeRequest(asked));
  return chartMessage(chart, filterSubject(environment, filter), await optionsFor(by, share, parts));
}

async function incidentChart(target: ActionTarget, by: AskedBy, parts: ChartParts): Promise<MessageContent> {
  const incident = await incidentNow(parts.db, target.incidentId, parts.now());
  if (incident === null) throw new OldButtonError();
  const { tally, id: incidentId } = incident;
  const { environment } = tally.kind;
  const range = rangeOfIncident(tally, parts.now());
  const request: ChartRequest = { environment, range, subject: { is: 'incident', incidentId } };
  const chart = await chartFailures(request, { ...parts, checkNow: null });
  const words: ChartSubjectWords = incidentSubject(incident, labelled(environment, parts.environments));
  const share = button('Share', SHARE_INCIDENT, writeActionTarget(target));
  return chartMessage(chart, words, await optionsFor(by, share, parts));
}

async function optionsFor(
  { userId, reader }: AskedBy,
  share: ChartOptions['share'],
  parts: ChartParts,
): Promise<ChartOptions> {
  return { reader, share, timeZone: (await zoneOfPerson(userId, parts)) ?? 'UTC' };
}
