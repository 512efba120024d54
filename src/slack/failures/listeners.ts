import type { ExplainCause } from '../../domain/causes/explain-cause.ts';
import { environmentNamed } from '../../domain/environment.ts';
import type { CheckNow } from '../../domain/polling/check.ts';
import {
  type ClockStore,
  type FailureStore,
  findFailures,
  type IncidentsStore,
} from '../../use-cases/lookups/find-failures.ts';
import { namesNeverSeen, withSubscribers } from '../../use-cases/lookups/names-asked-for.ts';
import type { FailureReader } from '../../use-cases/lookups/read-live.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { type FailureRequest, parseRequest } from '../blocks/buttons/failure-request.ts';
import { type Reader, readerOf } from '../blocks/reader.ts';
import { noSubscriberMessage, unseenMessage } from '../blocks/words/unseen-names.ts';
import type { Asked, Command, Flow } from '../interactions/command.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { type SharingParts, shareRoutes } from '../interactions/share-route.ts';
import { LOAD_MORE, NEXT, OLDER, PREVIOUS, REFRESH, SHARE } from './buttons-message.ts';
import { answerChart, type ChartParts, chartRoutes } from './chart-listeners.ts';
import { causesOnPage, failuresMessage } from './message.ts';
import { FAILURE_COMMAND_FILTERS, parseFailureRequest } from './parse-request.ts';

export interface FailuresParts extends SharingParts, ChartParts {
  readonly serviceOf: (environment: string) => FailureReader;
  readonly store: ChartParts['store'] & ClockStore & FailureStore & IncidentsStore;
  readonly explainCause: ExplainCause;
  /** How far back people can ask for failures. */
  readonly horizonMs: number;
}

export function failuresFlow(parts: FailuresParts): Flow {
  return {
    commands: [failuresCommand(parts), chartCommand(parts)],
    routes: [...failuresRoutes(parts), ...chartRoutes(parts)],
  };
}

function failuresCommand(parts: FailuresParts): Command {
  return {
    word: 'failures',
    usage: '[filters]',
    about: 'what failed in the last hour, or since:2h, in groups with their causes',
    examples: ['', 'since:2h channel:email', 'workflow:order-shipped severity:high'],
    for: 'everyone',
    filters: FAILURE_COMMAND_FILTERS,
    follows: 'filters',
    answer: async (asked, { reply }) => {
      const request = await requestOf(asked, '/notif failures', parts);
      await reply.show('blocks' in request ? request : await messageOf(request, readerOf(reply), parts));
    },
  };
}

function chartCommand(parts: FailuresParts): Command {
  return {
    word: 'chart',
    usage: '[filters]',
    about: 'the same failures over time, as a chart',
    examples: ['', 'since:1d provider:sendgrid'],
    for: 'everyone',
    filters: FAILURE_COMMAND_FILTERS,
    follows: 'filters',
    answer: async (asked, interaction) => {
      const request = await requestOf(asked, '/notif chart', parts);
      await ('blocks' in request ? interaction.reply.show(request) : answerChart(request, interaction, parts));
    },
  };
}

/** A message if no subscriber has an email address. */
async function requestOf(
  asked: Asked,
  command: string,
  parts: FailuresParts,
): Promise<FailureRequest | MessageContent> {
  const { environment } = asked;
  const service = parts.serviceOf(environment.name);
  const { filters, missing } = await withSubscribers(asked.filters, { service, now: parts.now });
  if (missing.length > 0) return noSubscriberMessage(missing, environment);
  return parseFailureRequest({ ...asked, filters }, parts.now(), parts.horizonMs, command);
}

/** Another time range is another answer; another page replaces the current one. */
function failuresRoutes(parts: FailuresParts): Route[] {
  const turned = (request: FailureRequest, { reply }: ActionInteraction) =>
    messageOf(request, readerOf(reply), { ...parts, checkNow: null });
  const refreshed = (request: FailureRequest, { reply }: ActionInteraction) =>
    messageOf(upToNow(request, parts.now()), readerOf(reply), parts);
  return routesFor('everyone', [
    ...pageRoutes([PREVIOUS, NEXT], parseRequest, turned),
    ...pageRoutes([REFRESH], parseRequest, refreshed),
    ...answerRoutes([OLDER, LOAD_MORE], parseRequest, (request, { reply }) =>
      messageOf(request, readerOf(reply), parts),
    ),
    ...shareRoutes(SHARE, parseRequest, (request, reader) => messageOf(request, reader, parts), parts),
  ]);
}

function upToNow(request: FailureRequest, now: Date): FailureRequest {
  const lengthMs = request.to.getTime() - request.from.getTime();
  return { ...request, from: new Date(now.getTime() - lengthMs), to: now, offset: 0 };
}

async function messageOf(
  request: FailureRequest,
  reader: Reader,
  parts: Omit<FailuresParts, 'checkNow'> & { readonly checkNow: CheckNow | null },
): Promise<MessageContent> {
  const { environments, serviceOf, store, checkNow, explainCause, now, horizonMs } = parts;
  const environment = environmentNamed(request.environment, environments);
  const range = { from: request.from, to: request.to };
  const found = await findFailures(range, request.filter, {
    environment,
    service: serviceOf(environment.name),
    store,
    checkNow,
    now,
  });
  if (found.trouble === null) {
    const { groups, workflowEvents } = found.summary;
    const known = { isFound: groups.length > 0, listed: [...workflowEvents.keys()] };
    const service = serviceOf(environment.name);
    const unseen = await namesNeverSeen(request.filter, known, { ...parts, environment, service });
    if (unseen.length > 0) return unseenMessage(unseen, environment);
  }
  const shown = causesOnPage(found, request).flatMap((groups) => groups.map(({ group }) => group.key));
  const incidents = await store.incidentsOf(shown, now());
  return failuresMessage(found, { incidents, request, now: now(), horizonMs, reader, explainCause });
}
