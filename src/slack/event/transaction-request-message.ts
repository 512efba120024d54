import { OUTCOME_ORDER } from '../../domain/lookups/outcome.ts';
import type { EventCounts, TransactionPosition, TransactionSlice } from '../../domain/lookups/transaction.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

/** The data in the buttons under a transaction: where checking continues, and which of its events are listed. */
export const LOAD_MORE = 'event.transaction-load-more';
export const FAILING = 'event.transaction-failing';
export const ALL = 'event.transaction-all';
export const LIST_BACK = 'event.transaction-back';
export const NEXT_EVENTS = 'event.transaction-next';

export const ROWS_A_PAGE = 10;

/** A transaction to continue checking, with its environment's name. */
export interface LoadMoreRequest {
  readonly environment: string;
  readonly transactionId: string;
  readonly position: TransactionPosition;
}

/** A page of a transaction's events. `back` holds the first events of the pages before it. */
export interface ListRequest extends TransactionSlice {
  readonly environment: string;
  readonly back: readonly number[];
}

/** How many positions fit in a button's value beside the longest transaction ID. */
const MOST_BACK = 100;

export function writeLoadMore({ environment, transactionId, position }: LoadMoreRequest): string {
  const { before, page, counts, unreadable } = position;
  const numbers = [String(before.getTime()), String(page), writeCounts(counts), String(unreadable)];
  return writeValue([environment, transactionId, ...numbers]);
}

/** Parses a value of `writeLoadMore`. Null for anything else. */
export function parseLoadMore(value: string): LoadMoreRequest | null {
  const [environment, transactionId, before = '', page = '', counts = '', ...rest] = parseValue(value) ?? [];
  const [unreadable = '0', ...others] = rest;
  const read = readCounts(counts);
  if (environment === undefined || transactionId === undefined || others.length > 0 || read === null) return null;
  if (!isCount(before) || !isCount(page) || !isCount(unreadable)) return null;
  return {
    environment,
    transactionId,
    position: { before: new Date(Number(before)), page: Number(page), counts: read, unreadable: Number(unreadable) },
  };
}

export function writeList({ environment, transactionId, which, before, from, back }: ListRequest): string {
  const pages = back.slice(-MOST_BACK).map((first) => first.toString(36));
  return writeValue([environment, transactionId, which, String(before.getTime()), String(from), pages.join('.')]);
}

/** Parses a value of `writeList`. Null for anything else. */
export function parseListRequest(value: string): ListRequest | null {
  const [environment, transactionId, which, before = '', from = '', back = '', ...others] = parseValue(value) ?? [];
  if (environment === undefined || transactionId === undefined || others.length > 0) return null;
  if ((which !== 'failing' && which !== 'all') || !isCount(before) || !isCount(from)) return null;
  if (!/^[0-9a-z.]*$/.test(back)) return null;
  const pages = back.split('.').filter((first) => first !== '');
  return {
    environment,
    transactionId,
    which,
    before: new Date(Number(before)),
    from: Number(from),
    back: pages.map((first) => Number.parseInt(first, 36)),
  };
}

/** 'failed=61,delivered=4730' */
function writeCounts(counts: EventCounts): string {
  return Object.entries(counts)
    .map(([verdict, count]) => `${verdict}=${count}`)
    .join(',');
}

function readCounts(text: string): EventCounts | null {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  const isKnown = pairs.every(
    ([verdict, count = '']) => OUTCOME_ORDER.some((one) => one === verdict) && isCount(count),
  );
  return isKnown ? Object.fromEntries(pairs.map(([verdict, count]) => [verdict, Number(count)])) : null;
}

function isCount(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
