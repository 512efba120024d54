import { labelled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type CommandList, commandList, olderThan } from '../../kit/list.ts';
import type { MessageContent } from '../../kit/message.ts';
import { badge, joined, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { SinceRequest } from '../../router/command.ts';

interface SinceList extends Pick<CommandList, 'columns' | 'rows' | 'notes'> {
  word: string;
  ids: readonly number[];
  hasOlder: boolean;
}

export function sinceList(
  { environments: known }: Pick<SlackCtx, 'environments'>,
  { since, environments, page }: SinceRequest,
  { word, ids, hasOlder, notes = [], ...list }: SinceList,
): MessageContent {
  const badges = environments.map((name) => badge(labelled(name, known)));
  const title = badges.length === 0 ? mrkdwn`All environments` : joined(badges, ', ');
  const text = commandText([word], { since: [since.toISOString()], env: environments });
  return commandList({
    ...{ ...list, text, page, title, noun: 'change', total: null, isShareable: false },
    notes: [mrkdwn`Since ${time(since, 'day')}`, ...notes],
    next: (shown) => olderThan(ids, hasOlder, shown)?.toString() ?? null,
  });
}
