import { isJson, stringIn } from './json.ts';
import type { Message, SlackState } from './state.ts';

/** '<@U0ANN>', '<!subteam^S0ONCALL|@oncall>' or '<!channel>'. */
const REFERENCE = /<(?:@(\w+)|!subteam\^(\w+)|!(?:here|channel|everyone))(?:\|[^>]*)?>/g;

/** Returns the IDs of the channel's members whom a message mentions, without its author. An ephemeral message notifies nobody. */
export function mentionedBy(
  { channel, author, onlyVisibleTo, text, blocks }: Message,
  slack: SlackState,
): readonly string[] {
  if (onlyVisibleTo !== null) return [];
  const members = slack.channel(channel)?.members ?? [];
  const texts = blocks.length > 0 ? markupIn(blocks) : [text];
  const ids = texts.flatMap((each) =>
    [...each.matchAll(REFERENCE)].flatMap(([, user, group]) => {
      if (user !== undefined) return [slack.person(user)?.id ?? user];
      return group === undefined ? members : (slack.userGroups.find(({ id }) => id === group)?.members ?? []);
    }),
  );
  return [...new Set(ids)].filter((id) => id !== author && members.includes(id));
}

/** Returns the texts of blocks that can mention somebody. */
function markupIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(markupIn);
  if (!isJson(part)) return [];
  if (part.type === 'mrkdwn') return [stringIn(part, 'text') ?? ''];
  return part.type === 'user' ? [`<@${part.user_id}>`] : Object.values(part).flatMap(markupIn);
}
