import { OUTCOME_ORDER } from '../../domain/lookups/outcome.ts';
import type { EventCounts, TransactionPosition } from '../../domain/lookups/transaction.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

/** Shows the next part of a transaction. */
export const LOAD_MORE = 'event.transaction-load-more';

/** A transaction to continue checking, with its environment's name. */
export interface LoadMoreRequest {
  readonly environment: string;
  readonly transactionId: string;
  readonly position: TransactionPosition;
}

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
