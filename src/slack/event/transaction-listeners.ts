import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { listTransaction } from '../../use-cases/lookups/list-transaction.ts';
import { readTransaction, type TransactionReader } from '../../use-cases/lookups/read-transaction.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { readerOf } from '../blocks/reader.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { actionRoute, answerRoutes, pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { transactionCard } from './transaction-message.ts';
import { transactionPage } from './transaction-page-message.ts';
import {
  ALL,
  FAILING,
  LIST_BACK,
  type ListRequest,
  LOAD_MORE,
  type LoadMoreRequest,
  NEXT_EVENTS,
  parseListRequest,
  parseLoadMore,
  ROWS_A_PAGE,
} from './transaction-request-message.ts';

export interface TransactionParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => TransactionReader;
  readonly now: () => Date;
}

/** The routes for the buttons under a transaction of many events: loading more, and pages of its events. */
export function transactionRoutes(parts: TransactionParts): Route[] {
  const page = (request: ListRequest) => pageOf(request, parts);
  return routesFor('everyone', [
    actionRoute(LOAD_MORE, parseLoadMore, (request, interaction) => goOn(request, interaction, parts)),
    ...answerRoutes([FAILING, ALL], parseListRequest, page),
    ...pageRoutes([LIST_BACK, NEXT_EVENTS], parseListRequest, page),
  ]);
}

async function goOn(request: LoadMoreRequest, { reply }: ActionInteraction, parts: TransactionParts): Promise<void> {
  const environment = environmentNamed(request.environment, parts.environments);
  const service = parts.serviceOf(environment.name);
  const read = await readTransaction(request.transactionId, request.position, { service, now: parts.now });
  const reader = readerOf(reply);
  await reply.show(transactionCard({ found: 'transaction', environment, ...read }, reader));
}

async function pageOf(
  request: ListRequest,
  { environments, serviceOf, now }: TransactionParts,
): Promise<MessageContent> {
  const environment = environmentNamed(request.environment, environments);
  const page = { ...request, limit: ROWS_A_PAGE };
  return transactionPage(
    await listTransaction(page, { service: serviceOf(environment.name), now }),
    request,
    environment,
  );
}
