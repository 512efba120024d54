import { rangeOfIncident } from '../../domain/charts/buckets.ts';
import type { Chart } from '../../domain/charts/chart.ts';
import { chartFacts } from '../../domain/charts/chart-facts.ts';
import { type DrawPicture, PictureError } from '../../domain/charts/picture.ts';
import { type Environment, environmentNamed, labelled } from '../../domain/environment.ts';
import type { ActionTarget } from '../../domain/incidents/incident-actions.ts';
import type { CheckNow } from '../../domain/polling/check.ts';
import type { ActedOnStore } from '../../use-cases/incidents/act-on-incident.ts';
import { type ChartFailuresParts, type ChartRequest, chartFailures } from '../../use-cases/lookups/chart-failures.ts';
import { type NamesSeenStore, namesNeverSeen } from '../../use-cases/lookups/names-asked-for.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { EventPages } from '../../use-cases/subscribers-with.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { CHART, INCIDENT_CHART } from '../blocks/buttons/chart-button.ts';
import { type FailureRequest, parseRequest } from '../blocks/buttons/failure-request.ts';
import { parseActionTarget } from '../blocks/incident/incident-menu.ts';
import { unseenMessage } from '../blocks/words/unseen-names.ts';
import type { ActionInteraction, Requester } from '../interactions/interaction.ts';
import { onceAtATime } from '../interactions/once-at-a-time.ts';
import { actionRoute, OldButtonError, type Route, routesFor } from '../interactions/route.ts';
import {
  altText,
  type ChartSubjectWords,
  chartCaption,
  filterSubject,
  incidentSubject,
  nothingToDraw,
  numbersInstead,
  pictureSent,
  pictureWords,
} from './chart-message.ts';
import { type SendChartParts, sendChart } from './send-chart.ts';

export interface ChartParts extends SendChartParts, ZoneParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => EventPages;
  readonly store: ChartFailuresParts['store'] & ActedOnStore & NamesSeenStore;
  readonly checkNow: CheckNow;
  readonly drawPicture: DrawPicture;
  readonly now: () => Date;
}

/**
 * The routes of the [Chart] buttons: under an answer about failures, in an incident's row and in a daily summary. A second click while the
 * first is being answered posts nothing.
 */
export function chartRoutes(parts: ChartParts): Route[] {
  const once = onceAtATime();
  const clickOf = ({ userId, channelId, threadTs, value, blockId }: ActionInteraction) => {
    return [userId, channelId, threadTs, value, blockId];
  };
  return routesFor('everyone', [
    actionRoute(CHART, parseRequest, (request, interaction) =>
      once(clickOf(interaction), () => answerChart(request, interaction, parts, null)),
    ),
    actionRoute(
      INCIDENT_CHART,
      (value, blockId) => parseActionTarget(value) ?? parseActionTarget(blockId),
      (subject, interaction) => once(clickOf(interaction), () => answerIncident(subject, interaction, parts)),
    ),
  ]);
}

/** Answers with the chart of what `/notif failures` would list. `checkNow` is null if the events were checked just before. */
export async function answerChart(
  { environment: name, filter, from, to }: Pick<FailureRequest, 'environment' | 'filter' | 'from' | 'to'>,
  interaction: Requester,
  parts: ChartParts,
  checkNow: CheckNow | null = parts.checkNow,
): Promise<void> {
  const environment = environmentNamed(name, parts.environments);
  const request = { environment: name, range: { from, to }, subject: { is: 'filter', filter } } as const;
  await answer(request, filterSubject(environment, filter), interaction, { ...parts, checkNow });
}

async function answerIncident(subject: ActionTarget, interaction: Requester, parts: ChartParts): Promise<void> {
  const on = await parts.store.actedOn(subject, parts.now());
  if (on === null) throw new OldButtonError();
  const { tally, episodeId } = on.episode;
  const { environment } = tally.group;
  const request: ChartRequest = {
    environment,
    range: rangeOfIncident(tally, parts.now()),
    subject: { is: 'incident', episodeId },
  };
  const words = incidentSubject(on.episode, labelled(environment, parts.environments));
  await answer(request, words, interaction, { ...parts, checkNow: null });
}

async function answer(
  request: ChartRequest,
  subject: ChartSubjectWords,
  interaction: Requester,
  parts: Omit<ChartParts, 'checkNow'> & { readonly checkNow: CheckNow | null },
): Promise<void> {
  const { reply, userId } = interaction;
  const { chart, freshness } = await chartFailures(request, parts);
  const isFound = chartFacts(chart).failures > 0;
  const unseen = await unseenNames(request, isFound, parts);
  if (unseen !== null) return reply.show(unseen);
  if (!isFound) return reply.show(nothingToDraw(chart, subject, freshness));
  const timeZone = (await zoneOfPerson(userId, parts)) ?? 'UTC';
  const picture = await drawn(chart, subject, timeZone, parts);
  if (picture === null) return reply.show(numbersInstead(chart, subject, { why: 'not-drawn' }, false));
  const sent = await sendChart(
    (isForOne) => ({
      name: `failures-${request.environment}-${request.range.to.toISOString().slice(0, 16).replace(':', '')}.png`,
      title: subject.title,
      content: Buffer.from(picture),
      altText: altText(chart, subject, timeZone),
      comment: chartCaption(chart, subject, isForOne ? null : userId),
    }),
    interaction,
    parts,
  );
  if (sent.is === 'here') return reply.show(pictureSent(sent.is));
  if (sent.reason === null) return reply.show(pictureSent('in direct messages'));
  await reply.show(numbersInstead(chart, subject, sent.reason, sent.is === 'in direct messages'));
}

/** Returns the answer for names that were never seen; null if the chart is of none. */
async function unseenNames(
  { environment: name, subject }: ChartRequest,
  isFound: boolean,
  parts: Omit<ChartParts, 'checkNow'>,
): Promise<MessageContent | null> {
  if (subject.is === 'incident') return null;
  const environment = environmentNamed(name, parts.environments);
  const service = parts.serviceOf(name);
  const unseen = await namesNeverSeen(subject.filter, { isFound }, { ...parts, environment, service });
  return unseen.length === 0 ? null : unseenMessage(unseen, environment);
}

/** Draws the picture. Null if that fails. */
async function drawn(
  chart: Chart,
  subject: ChartSubjectWords,
  timeZone: string,
  { drawPicture, logger }: Pick<ChartParts, 'drawPicture' | 'logger'>,
): Promise<Uint8Array | null> {
  try {
    return await drawPicture({ chart, words: pictureWords(chart, subject, timeZone) });
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    logger.error({ err: error }, 'a chart could not be drawn');
    return null;
  }
}
