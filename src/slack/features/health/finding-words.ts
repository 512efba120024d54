import type { Finding } from '../../../health/finding.ts';
import { channelLink, code, joined, listed, type Markup, mention } from '../../kit/text.ts';

export const EMOJI = {
  problem: '🔴',
  unknown: '⚠️',
  advice: '🟡',
  fine: '✅',
};
export const ORDER = Object.keys(EMOJI);

export function whatOf({ what, about }: Finding): Markup {
  const names = about.map(({ kind, id }) =>
    kind === 'word' ? code(id) : kind === 'channel' ? channelLink(id) : mention({ kind, id }),
  );
  return joined([what, listed(names, ', ', 10)], ' ');
}
