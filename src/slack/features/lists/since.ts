import { type Environment, labelled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { MessageContent } from '../../kit/blocks.ts';
import { type CommandList, commandList } from '../../kit/list.ts';
import { badge, joined, type Markup, mrkdwn } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { SinceRequest } from '../../router/command.ts';

interface SinceList extends Pick<CommandList, 'columns' | 'rows' | 'notes'> {
  readonly word: string;
  readonly ids: readonly number[];
  readonly hasOlder: boolean;
}

export function sinceList(
  { environments: known }: Pick<SlackCtx, 'environments'>,
  { since, environments, page }: SinceRequest,
  { word, ids, hasOlder, ...list }: SinceList,
): MessageContent {
  const where = environments.length === 0 ? mrkdwn`All environments` : badges(environments, known);
  const title = mrkdwn`${where} · since ${time(since, 'day')}`;
  const text = commandText([word], { since: [since.toISOString()], env: environments });
  const next = (shown: number) => (hasOlder || shown < ids.length ? String(ids[shown - 1]) : null);
  return commandList({ ...list, text, page, title, noun: 'change', total: null, next, isShareable: false });
}

function badges(names: readonly string[], known: readonly Environment[]): Markup {
  return joined(
    names.map((name) => badge(labelled(name, known))),
    ', ',
  );
}
