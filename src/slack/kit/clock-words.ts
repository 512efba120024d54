import { describeDuration } from '../../lib/time/durations.ts';
import { type Line, type Markup, mrkdwn } from './text.ts';

/** Why times are still to come. */
export const aheadWords = (aheadMs: number): Markup =>
  mrkdwn`the service's clock is ${describeDuration(aheadMs)} ahead`;

/** Below a list of such times; null: there are none. */
export const aheadNote = (aheadMs: number | null): Line => aheadMs !== null && mrkdwn`🕑 ${aheadWords(aheadMs)}`;
