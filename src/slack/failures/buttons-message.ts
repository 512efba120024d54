import type { ActionsBlock, Button } from '@slack/types';
import { z } from 'zod';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, filterBy } from '../../domain/failures/failure-filter.ts';
import { actions, button } from '../blocks/blocks.ts';

export const PREVIOUS = 'failures.previous';
export const NEXT = 'failures.next';
export const REFRESH = 'failures.refresh';
export const OLDER = 'failures.older';
export const LOAD_MORE = 'failures.load-more';
export const SHARE = 'failures.share';
export const CHART = 'failures.chart';

export const ROWS_A_PAGE = 10;

/** What `/notif failures` asks: which failures, of which time, and from which group on, counted from 0. */
export interface FailureRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly from: Date;
  readonly to: Date;
  readonly offset: number;
}

const Names = z.array(z.string()).default([]);
const Moment = z.number().transform((ms) => new Date(ms));

const Lists = z.object(Object.fromEntries(FILTER_NAMES.map((name) => [FAILURE_FILTERS[name].button, Names])));

const Value = z
  .object({ v: z.literal(1), env: z.string(), from: Moment, to: Moment, at: z.number().int().nonnegative() })
  .and(Lists)
  .transform(({ env, from, to, at, ...lists }): FailureRequest => {
    const filter = filterBy((_, { button: name }) => Names.parse(Reflect.get(lists, name)));
    return { environment: env, from, to, offset: at, filter };
  });

/** A request as a button's value; the same question is asked again when it is clicked. */
export function writeRequest({ environment, filter, from, to, offset }: FailureRequest): string {
  const asked = FILTER_NAMES.filter((name) => filter[name].length > 0);
  return JSON.stringify({
    v: 1,
    env: environment,
    from: from.getTime(),
    to: to.getTime(),
    at: offset,
    ...Object.fromEntries(asked.map((name) => [FAILURE_FILTERS[name].button, filter[name]])),
  });
}

/** What `writeRequest` wrote, or null. */
export function parseRequest(value: string): FailureRequest | null {
  return Value.safeParse(parsed(value)).data ?? null;
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // Not one of ours: `Value` refuses it.
    return null;
  }
}

export interface FilterBounds {
  /** How many groups the page shows, and how many there are. */
  readonly shown: number;
  readonly total: number;
  /** The part that was not read yet. */
  readonly unread: { readonly from: Date; readonly to: Date } | null;
  /** Nothing before this is read. */
  readonly oldest: Date;
  /** Whether the span ends now. */
  readonly endsNow: boolean;
}

/** The buttons under an answer: its pages, what was not read, the time before, Refresh, Chart and Share. */
export function requestButtons(request: FailureRequest, around: FilterBounds): ActionsBlock[] {
  const { offset, from, to } = request;
  const older = new Date(2 * from.getTime() - to.getTime());
  return actions([
    ...(offset > 0
      ? [ask('Previous groups', PREVIOUS, { ...request, offset: Math.max(0, offset - ROWS_A_PAGE) })]
      : []),
    ...(offset + around.shown < around.total
      ? [ask('Next groups', NEXT, { ...request, offset: offset + around.shown })]
      : []),
    ...(around.unread === null ? [] : [ask('Load more', LOAD_MORE, { ...request, ...around.unread, offset: 0 })]),
    ...(older >= around.oldest ? [ask('Earlier period', OLDER, { ...request, from: older, to: from, offset: 0 })] : []),
    ...(around.endsNow ? [ask('Refresh', REFRESH, request)] : []),
    ask('Chart', CHART, { ...request, offset: 0 }),
    ask('Share', SHARE, request),
  ]);
}

function ask(label: string, actionId: string, request: FailureRequest): Button {
  return button(label, actionId, writeRequest(request));
}
