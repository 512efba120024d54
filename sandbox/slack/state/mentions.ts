import { isJson, stringIn } from '../json.ts';
import type { MessageContent } from './messages.ts';
import type { SlackState } from './slack-state.ts';

/** A mention in a text: `<@U0ANN>`, `<!subteam^S0ONCALL|@oncall>`, `<!here>`. */
const REFERENCE = /<(?:@(?<user>\w+)|!subteam\^(?<group>\w+)|!(?<range>here|channel|everyone))(?:\|[^>]*)?>/g;

type Called = { readonly kind: 'user' | 'group'; readonly id: string } | { readonly kind: 'everybody' };

/**
 * Returns the people whom a new message mentions: the channel's members that it names, individually, by user group or all. Only what is
 * shown counts: with blocks, `text` notifies nobody. An ephemeral message and one's own mention nobody.
 */
export function mentionedBy(
  message: MessageContent & {
    readonly channel: string;
    readonly author: string;
    readonly onlyVisibleTo: string | null;
  },
  { conversations, userGroups }: Pick<SlackState, 'conversations' | 'userGroups'>,
): readonly string[] {
  if (message.onlyVisibleTo !== null) return [];
  const members = conversations.byId(message.channel)?.members ?? [];
  const ids = calledIn(message).flatMap((called) => {
    if (called.kind === 'user') return [called.id];
    return called.kind === 'everybody' ? members : (userGroups.find(({ id }) => id === called.id)?.members ?? []);
  });
  return [...new Set(ids)].filter((id) => id !== message.author && members.includes(id));
}

function calledIn({ text, blocks }: MessageContent): readonly Called[] {
  return blocks.length > 0 ? calledInBlocks(blocks) : calledInText(text);
}

/** Finds mentions in `mrkdwn` and in rich text's own elements; `plain_text` is literal. */
function calledInBlocks(part: unknown): readonly Called[] {
  if (Array.isArray(part)) return part.flatMap(calledInBlocks);
  if (!isJson(part)) return [];
  switch (part.type) {
    case 'mrkdwn':
      return calledInText(stringIn(part, 'text') ?? '');
    case 'user':
      return [{ kind: 'user', id: stringIn(part, 'user_id') ?? '' }];
    default:
      return Object.values(part).flatMap(calledInBlocks);
  }
}

function calledInText(text: string): readonly Called[] {
  return [...text.matchAll(REFERENCE)].map(({ groups: { user, group } = {} }): Called => {
    if (user !== undefined) return { kind: 'user', id: user };
    return group === undefined ? { kind: 'everybody' } : { kind: 'group', id: group };
  });
}
