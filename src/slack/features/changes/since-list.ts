import { type Environment, labeled } from '../../../lib/environment.ts';
import { commandText } from '../../../lib/input/filters.ts';
import { type CommandList, olderCursor } from '../../kit/list.ts';
import { badge, joined } from '../../kit/text.ts';
import type { SinceRequest } from '../../router/since-command.ts';

/** The part that lists of what was done since a time share. */
export function sinceList(
  word: string,
  { since, environments, page }: SinceRequest,
  { items, hasOlder }: { items: readonly { id: number }[]; hasOlder: boolean },
  configured: readonly Environment[],
): Omit<CommandList, 'columns' | 'rows'> {
  const badges = environments.map((name) => badge(labeled(name, configured)));
  return {
    text: commandText([word], { since: [since.toISOString()], env: environments }),
    page,
    title: badges.length === 0 ? 'All environments' : joined(badges, ', '),
    noun: 'change',
    nextCursor: (shown) => olderCursor(items, hasOlder, shown),
    isShareable: false,
  };
}
