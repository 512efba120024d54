import { nearest } from '../lib/closed-list.ts';
import { FilterError, type FilterMap } from '../lib/input/filters.ts';
import type { Logger } from '../lib/logger.ts';
import type { UserGroup, Workspace } from '../lib/workspace.ts';
import { isOff } from './setting-values.ts';

interface MentionCtx {
  workspace: Pick<Workspace, 'userGroups'>;
  logger: Logger;
}

const GROUP_MARKUP = /^<!subteam\^(S[A-Z0-9]+)/;

/** Turns `me` and the handle of a user group, which are plain text, into what Slack makes of a choice from its list. */
export async function withMention(ctx: MentionCtx, filters: FilterMap, actor: string): Promise<FilterMap> {
  const [typed, ...others] = filters.mention ?? [];
  if (typed === undefined || isOff(typed)) return filters;
  const markup = typed.startsWith('<') ? await checkedMarkup(ctx, typed) : await markupOf(ctx, typed, actor);
  return { ...filters, mention: [markup, ...others] };
}

/** Where Slack can't be asked, a group is taken: doctor finds it later. */
async function checkedMarkup({ workspace, logger }: MentionCtx, markup: string): Promise<string> {
  const [, groupId] = GROUP_MARKUP.exec(markup) ?? [];
  if (groupId === undefined) return markup;
  const groups = await workspace.userGroups().catch((err: unknown) => {
    logger.warn({ err, groupId }, "Slack didn't say whether a user group is in use");
    return null;
  });
  if (groups === null || groups.some(({ id }) => id === groupId)) return markup;
  throw new FilterError('mention', 'names a user group that no longer exists or is disabled.', exampleAmong(groups));
}

async function markupOf({ workspace }: MentionCtx, typed: string, actor: string): Promise<string> {
  const handle = typed.replace(/^@/, '').toLowerCase();
  if (handle === 'me') return `<@${actor}>`;
  const groups = await workspace.userGroups();
  const group = groups.find((each) => each.handle.toLowerCase() === handle);
  if (group !== undefined) return `<!subteam^${group.id}>`;
  const similar = nearest(
    handle,
    groups.map((each) => each.handle),
  );
  const hint = similar === null ? 'For a person, choose the name from the list that Slack shows after @.' : '';
  const question = similar === null ? '' : `Did you mean @${similar}?`;
  throw new FilterError('mention', `there is no user group @${handle}. ${question}${hint}`, exampleAmong(groups));
}

function exampleAmong([first]: readonly UserGroup[]): string {
  return first === undefined ? 'mention:me' : `mention:@${first.handle}`;
}
