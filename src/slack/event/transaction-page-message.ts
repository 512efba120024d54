import type { Button } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import type { TransactionPage } from '../../domain/lookups/transaction.ts';
import { badge } from '../blocks/badge.ts';
import { actions, button, context, type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitRows } from '../blocks/fit.ts';
import { code, type Markup, mrkdwn, plural } from '../blocks/text.ts';
import { eventRow } from '../blocks/words/event-row.ts';
import { orderWords } from '../blocks/words/order-words.ts';
import { serviceTrouble } from '../blocks/words/service-trouble.ts';
import { LIST_BACK, type ListRequest, NEXT_EVENTS, writeList } from './transaction-request-message.ts';

/** Builds a page of a transaction's events, each with a button for its card, and how far the list was searched for them. */
export function transactionPage(page: TransactionPage, request: ListRequest, environment: Environment): MessageContent {
  const title = mrkdwn`${badge(environment)} · ${titleOf(request)} of ${code(request.transactionId)}`;
  const covered = coveredWords(page, request);
  const rows = page.rows.map((listed) => [eventRow(listed, environment.name)]);
  const head = [section(title), context(covered), ...serviceTrouble(page.trouble, environment)];
  const { blocks, shown } = fitRows(head, rows, actions(turns(page, request)), (left) => mrkdwn`${left} more`);
  if (shown < rows.length) return transactionPage(shortened(page, shown), request, environment);
  return message(mrkdwn`${title}. ${covered}`, blocks);
}

/** Leaves what doesn't fit to the next page. */
function shortened(page: TransactionPage, shown: number): TransactionPage {
  return { ...page, rows: page.rows.slice(0, shown), to: page.rows[shown]?.at ?? page.to, hasMore: true };
}

function titleOf({ which }: ListRequest): string {
  return which === 'failing' ? 'Failing events' : 'Events';
}

function coveredWords({ rows, to, hasMore, unreadable, trouble }: TransactionPage, request: ListRequest): Markup {
  const { which, from } = request;
  if (to <= from) return mrkdwn`There are no more.`;
  const range = mrkdwn`events ${from + 1}–${to}${orderWords(rows)}`;
  const isWhole = unreadable === 0 && trouble === null;
  const missing = unreadable === 0 ? mrkdwn`` : mrkdwn`; ${missingWords(unreadable, which)}`;
  const end = (more: string) => mrkdwn`${missing}${hasMore ? `; ${more}.` : isWhole ? '; that is all.' : '.'}`;
  if (which === 'all') return mrkdwn`These are ${range}${end('there are more')}`;
  const readable = unreadable === 0 ? mrkdwn`None` : mrkdwn`None that could be read`;
  const found = rows.length === 0 ? mrkdwn`${readable} is failing` : plural(rows.length, 'is failing', 'are failing');
  return mrkdwn`${found} of ${range}${end('there are more to look through')}`;
}

function missingWords(unreadable: number, which: ListRequest['which']): Markup {
  return which === 'all'
    ? mrkdwn`${unreadable} of them couldn't be read`
    : mrkdwn`the outcome of ${unreadable} couldn't be read`;
}

function turns({ to, hasMore }: TransactionPage, request: ListRequest): Button[] {
  const { from, back } = request;
  const before = back.at(-1);
  return [
    ...(before === undefined
      ? []
      : [button('Previous events', LIST_BACK, writeList({ ...request, from: before, back: back.slice(0, -1) }))]),
    ...(hasMore
      ? [button('Next events', NEXT_EVENTS, writeList({ ...request, from: to, back: [...back, from] }))]
      : []),
  ];
}
