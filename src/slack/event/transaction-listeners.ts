import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { listTransaction } from '../../use-cases/lookups/list-transaction.ts';
import { readTransaction, type TransactionReader } from '../../use-cases/lookups/read-transaction.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { ActionGesture } from '../interactions/interaction.ts';
import { actionDoor, type Door, doorsFor } from '../interactions/route.ts';
import { transactionCard } from './transaction-message.ts';
import { transactionPage } from './transaction-page-message.ts';
import {
  ALL,
  FAILING,
  GO_ON,
  type GoOnRequest,
  LIST_BACK,
  LIST_ON,
  type ListRequest,
  ROWS_A_PAGE,
  readGoOn,
  readList,
} from './transaction-request-message.ts';

export interface TransactionParts {
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => TransactionReader;
  readonly now: () => Date;
}

/** The buttons under a transaction of many events: reading on, and pages of its events. */
export function transactionDoors(parts: TransactionParts): Door[] {
  const show = async (request: ListRequest, { reply }: ActionGesture) => reply.show(await pageOf(request, parts));
  const turn = async (request: ListRequest, { reply }: ActionGesture) => reply.replace(await pageOf(request, parts));
  return doorsFor('everyone', [
    actionDoor(GO_ON, readGoOn, (request, gesture) => goOn(request, gesture, parts)),
    actionDoor(FAILING, readList, show),
    actionDoor(ALL, readList, show),
    actionDoor(LIST_BACK, readList, turn),
    actionDoor(LIST_ON, readList, turn),
  ]);
}

async function goOn(request: GoOnRequest, { reply }: ActionGesture, parts: TransactionParts): Promise<void> {
  const environment = environmentNamed(request.environment, parts.environments);
  const service = parts.serviceOf(environment.name);
  const read = await readTransaction(request.transactionId, request.position, { service, now: parts.now });
  const reader = { is: reply.share === null ? 'in-modal' : 'person' } as const;
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
