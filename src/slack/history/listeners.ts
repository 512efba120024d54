import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type HistoryStore, listHistory } from '../../use-cases/incidents/list-history.ts';
import { type NamesSeenStore, namesNeverSeen, withSubscribers } from '../../use-cases/lookups/names-asked-for.ts';
import type { EventPages } from '../../use-cases/subscribers-with.ts';
import { ROWS_LOADED } from '../blocks/list.ts';
import { noSubscriberMessage, unseenMessage } from '../blocks/words/unseen-names.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { historyMessage, LOOK_UP_INCIDENT, MORE_INCIDENTS, pastIncidentMessage } from './message.ts';
import { HISTORY_FILTERS, parseHistoryRequest } from './parse-request.ts';
import { type HistoryRequest, parseRequest } from './request-message.ts';

export interface HistoryParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => EventPages;
  readonly store: HistoryStore & NamesSeenStore;
  readonly now: () => Date;
  readonly retentionDays: number;
}

export function historyFlow(parts: HistoryParts): Flow {
  const { environments, serviceOf, now, retentionDays } = parts;
  const messageOf = async (request: HistoryRequest) => {
    const environment = environmentNamed(request.environment, environments);
    const page = await listHistory({ ...request, limit: ROWS_LOADED }, parts);
    const known = { isFound: page.incidents.length > 0 };
    const service = serviceOf(environment.name);
    const unseen = await namesNeverSeen(request.filter, known, { ...parts, environment, service });
    if (unseen.length > 0) return unseenMessage(unseen, environment);
    return historyMessage(page, { environment, request, retentionDays });
  };
  const history: Command = {
    word: 'history',
    usage: '[filters]',
    about: 'incidents of the last 30 days, or since:7d: how long, how much, who took them, and the notes about them',
    examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
    for: 'everyone',
    filters: HISTORY_FILTERS,
    follows: 'filters',
    answer: async (asked, { reply }) => {
      const { environment } = asked;
      const { filters, missing } = await withSubscribers(asked.filters, { service: serviceOf(environment.name), now });
      if (missing.length > 0) return reply.show(noSubscriberMessage(missing, environment));
      await reply.show(await messageOf(parseHistoryRequest({ ...asked, filters }, now(), retentionDays)));
    },
  };
  const oneOf = async (request: HistoryRequest) => {
    const [incident] = (await parts.store.history({ ...request, limit: 1 }, now())).incidents;
    if (incident === undefined) throw new InputError('incident', 'This incident is no longer kept.', null);
    return pastIncidentMessage(incident);
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE_INCIDENTS], parseRequest, messageOf),
    ...answerRoutes([LOOK_UP_INCIDENT], parseRequest, oneOf),
  ]);
  return { commands: [history], routes };
}
