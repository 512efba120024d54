import { withEscapes } from '../block-kit/escapes.ts';
import { BOT } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** Code, a URL, an email address, a name after '@' or '#', or a character that Slack escapes. */
const PARTS = /`[^`]*`|https?:\/\/[^\s<>`]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[@#][\w-]+(?:\.[\w-]+)*|[&<>]/g;

type Named = Pick<SlackState, 'manifest' | 'people' | 'userGroups' | 'conversations'>;

/**
 * Converts typed text to what Slack stores: `&`, `<` and `>` are escaped, and names, URLs and email addresses become references:
 * `<@U0BOT>`, `<#C0ONCALL|oncall>`, `<https://example.com>`, `<mailto:ann@example.com|ann@example.com>`. Code and unknown names stay
 * unchanged.
 */
export function storedText(typed: string, workspace: Named): string {
  return typed.replace(PARTS, (part) => {
    const literal = withEscapes(part);
    if (part.startsWith('@')) return calledBy(part.slice(1), workspace) ?? literal;
    if (part.startsWith('#')) return channelCalled(part.slice(1), workspace) ?? literal;
    if (part.startsWith('http')) return `<${literal}>`;
    return part.includes('@') && !part.startsWith('`') ? `<mailto:${literal}|${literal}>` : literal;
  });
}

function calledBy(name: string, { manifest, people, userGroups }: Named): string | undefined {
  if (['here', 'channel', 'everyone'].includes(name)) return `<!${name}>`;
  const isBot = name.toLowerCase() === manifest.display_information.name.toLowerCase();
  const id = isBot ? BOT.userId : people.named(name)?.id;
  if (id !== undefined) return `<@${id}>`;
  const group = userGroups.find(({ handle }) => handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

function channelCalled(name: string, { conversations }: Named): string | undefined {
  const channel = conversations.named(name);
  return channel && `<#${channel.id}|${channel.name}>`;
}
