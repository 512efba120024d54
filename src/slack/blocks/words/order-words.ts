import { type Markup, mrkdwn } from '../text.ts';

/** As the rows' times show it: the service doesn't promise an order of its lists. */
export function orderWords(rows: readonly { readonly createdAt: Date | null }[]): Markup {
  const times = rows.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const [first = 0, last = 0] = [times.at(0), times.at(-1)];
  if (first === last) return mrkdwn``;
  return first > last ? mrkdwn`, the newest first` : mrkdwn`, the oldest first`;
}
