import type { ActionsBlock, Button } from '@slack/types';
import { actions, button } from '../blocks/blocks.ts';
import { failuresChartButton } from '../blocks/buttons/chart-button.ts';
import { type FailureRequest, writeRequest } from '../blocks/buttons/failure-request.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';

export const PREVIOUS = 'failures.previous';
export const NEXT = 'failures.next';
export const REFRESH = 'failures.refresh';
export const OLDER = 'failures.older';
export const LOAD_MORE = 'failures.load-more';
export const SHARE = 'failures.share';

export const ROWS_A_PAGE = 10;

export interface FilterBounds {
  readonly shown: number;
  readonly total: number;
  readonly unchecked: { readonly from: Date; readonly to: Date } | null;
  /** The earliest time that Notif checks. */
  readonly oldest: Date;
  readonly endsNow: boolean;
  readonly canShare: boolean;
}

export function requestButtons(request: FailureRequest, around: FilterBounds): ActionsBlock[] {
  const { offset, from, to } = request;
  const older = new Date(2 * from.getTime() - to.getTime());
  return actions([
    ...offsetButtons(
      'groups',
      { offset, shown: around.shown, pageSize: ROWS_A_PAGE, hasNext: offset + around.shown < around.total },
      { previous: PREVIOUS, next: NEXT, write: (at) => writeRequest({ ...request, offset: at }) },
    ),
    ...(around.unchecked === null ? [] : [ask('Load more', LOAD_MORE, { ...request, ...around.unchecked, offset: 0 })]),
    ...(older >= around.oldest ? [ask('Earlier period', OLDER, { ...request, from: older, to: from, offset: 0 })] : []),
    ...(around.endsNow ? [ask('Refresh', REFRESH, request)] : []),
    failuresChartButton(request),
    ...(around.canShare ? [ask('Share', SHARE, request)] : []),
  ]);
}

function ask(label: string, actionId: string, request: FailureRequest): Button {
  return button(label, actionId, writeRequest(request));
}
