import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { uncheckedOf } from '../../domain/polling/gap.ts';
import { shownOf, uncheckedIn } from '../../domain/time/coverage.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { type HistoryQuery, history } from '../../incidents/lists.ts';
import { gapsIn } from '../../polling/gaps.ts';
import type { Database } from '../../store/database/database.ts';
import { type EventPages, withSubscribers } from '../../use-cases/subscribers-with.ts';
import { unseenWorkflows, type WorkflowNamesStore } from '../../use-cases/unseen-workflows.ts';
import { ROWS_LOADED } from '../blocks/list.ts';
import { noSubscriberMessage, unseenMessage } from '../blocks/words/unseen-names.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { type HistoryPage, historyMessage, LOOK_UP_INCIDENT, MORE_INCIDENTS, pastIncidentMessage } from './message.ts';
import { HISTORY_FILTERS, type HistoryRequest, parseHistoryRequest, parseRequest } from './request.ts';

export interface HistoryParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => EventPages;
  readonly db: Database;
  readonly store: WorkflowNamesStore & { coverage(environment: string): Promise<TimeRange | null> };
  readonly now: () => Date;
  readonly retentionDays: number;
}

export function historyFlow(parts: HistoryParts): Flow {
  const { environments, serviceOf, store, now, retentionDays } = parts;
  const messageOf = async (request: HistoryRequest) => {
    const environment = environmentNamed(request.environment, environments);
    const page = await listHistory({ ...request, limit: ROWS_LOADED }, parts);
    const unseen = await unseenWorkflows(request.filter.workflows, [environment], store);
    if (unseen.length > 0) return unseenMessage(unseen, environment);
    return historyMessage(page, { environment, request, retentionDays });
  };
  const command: Command = {
    word: 'history',
    usage: '[filters]',
    about: 'incidents of the last 30 days, or since:7d: how long, how much, who took them, and the notes about them',
    examples: ['', 'since:7d channel:email', 'workflow:order-shipped provider:sendgrid'],
    for: 'everyone',
    filters: HISTORY_FILTERS,
    follows: 'filters',
    answer: async (asked, { reply }) => {
      const { environment } = asked;
      const { filters, missing } = await withSubscribers(asked.filters, serviceOf(environment.name), now());
      if (missing.length > 0) return reply.show(noSubscriberMessage(missing, environment));
      await reply.show(await messageOf(parseHistoryRequest({ ...asked, filters }, now(), retentionDays)));
    },
  };
  const oneOf = async (request: HistoryRequest) => {
    const [incident] = (await history(parts.db, { ...request, limit: 1 }, now())).incidents;
    if (incident === undefined) throw new InputError('incident', 'This incident is no longer kept.', null);
    return pastIncidentMessage(incident);
  };
  const routes = routesFor('everyone', [
    ...answerRoutes([MORE_INCIDENTS], parseRequest, messageOf),
    ...answerRoutes([LOOK_UP_INCIDENT], parseRequest, oneOf),
  ]);
  return { commands: [command], routes };
}

async function listHistory(query: HistoryQuery, { db, store, now }: HistoryParts): Promise<HistoryPage> {
  // Read before the list, so that the list can be newer than this time but never older.
  const coverage = await store.coverage(query.environment);
  const range = shownOf({ from: query.since, to: now() }, { coverage });
  const gaps = (await gapsIn(db, query.environment, range)).flatMap((gap) => uncheckedOf(gap, range.to));
  return {
    ...(await history(db, query, now())),
    asOf: coverage?.to ?? null,
    unchecked: uncheckedIn(range, { coverage, gaps }),
  };
}
