import { describeDuration } from '../../lib/time/durations.ts';
import { type Markup, mrkdwn } from './text.ts';

/** Why times are still to come. */
export const aheadWords = (aheadMs: number): Markup =>
  mrkdwn`the service's clock is ${describeDuration(aheadMs)} ahead`;
