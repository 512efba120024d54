import { rangeOfIncident } from '../../domain/charts/chart.ts';
import { type Environment, environmentNamed, labelled } from '../../domain/environment.ts';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import type { CheckNow } from '../../domain/polling/check.ts';
import type { ActedOnStore } from '../../use-cases/incidents/act-on-incident.ts';
import { type ChartRequest, type ChartStore, chartFailures } from '../../use-cases/lookups/chart-failures.ts';
import { type NamesSeenStore, namesNeverSeen } from '../../use-cases/lookups/names-asked-for.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { EventPages } from '../../use-cases/subscribers-with.ts';
import { button, type MessageContent } from '../blocks/blocks.ts';
import { CHART, INCIDENT_CHART } from '../blocks/buttons/chart-button.ts';
import { type FailureRequest, parseRequest, writeRequest } from '../blocks/buttons/failure-request.ts';
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
  readonly store: ChartStore & ActedOnStore & NamesSeenStore;
  readonly checkNow: CheckNow;
  readonly now: () => Date;
}

const SHARE = 'failures.share-chart';
const SHARE_INCIDENT = 'failures.share-incident-chart';

export function chartRoutes(parts: ChartParts): Route[] {
  const readTarget = (value: string, blockId: string) => parseActionTarget(value) ?? parseActionTarget(blockId);
  const shown = (chart: (askedBy: AskedBy) => Promise<MessageContent>, { reply, userId }: ActionInteraction) =>
    chart({ userId, reader: readerOf(reply) }).then(reply.show);
  const sharedBy = (reader: Reader) => ({ userId: reader.is === 'channel' ? reader.sharedBy : '', reader });
  return routesFor('everyone', [
    actionRoute(CHART, parseRequest, (request, interaction) =>
      shown((by) => failuresChart(request, by, parts, null), interaction),
    ),
    actionRoute(INCIDENT_CHART, readTarget, (target, interaction) =>
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
  const service = parts.serviceOf(name);
  const isFound = chart.series.length > 0;
  const unseen = await namesNeverSeen(filter, { isFound }, { ...parts, environment, service });
  if (unseen.length > 0) return unseenMessage(unseen, environment);
  const share = button('Share', SHARE, writeRequest(asked));
  return chartMessage(chart, filterSubject(environment, filter), await optionsFor(by, share, parts));
}

async function incidentChart(target: ActionTarget, by: AskedBy, parts: ChartParts): Promise<MessageContent> {
  const on = await parts.store.actedOn(target, parts.now());
  if (on === null) throw new OldButtonError();
  const { tally, episodeId } = on.episode;
  const { environment } = tally.group;
  const range = rangeOfIncident(tally, parts.now());
  const request: ChartRequest = { environment, range, subject: { is: 'incident', episodeId } };
  const chart = await chartFailures(request, { ...parts, checkNow: null });
  const words: ChartSubjectWords = incidentSubject(on.episode, labelled(environment, parts.environments));
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
