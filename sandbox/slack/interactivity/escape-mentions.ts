import type { SlackState } from '../state/slack-state.ts';

/** A URL, a name after an '@' that isn't part of an email address, or a channel name after '#'. */
const MENTION = /(https?:\/\/[^\s<>|]+)|(?<![\w.])@([\w.-]+)|(?<![\w/])#([\w-]+)/g;

/**
 * Converts names and URLs into Slack's references, as `should_escape` requires: `<@U0ANN|ann>`, `<!subteam^S0ONCALL|@oncall>`,
 * `<#C0ONCALL|oncall>`, `<https://example.com>`. Unknown names stay as typed.
 */
export function escapeMentions(
  text: string,
  workspace: Pick<SlackState, 'people' | 'userGroups' | 'conversations'>,
): string {
  return text.replace(MENTION, (typed: string, url?: string, name?: string, channel = '') => {
    if (url !== undefined) return `<${url}>`;
    return (name === undefined ? channelNamed(channel, workspace) : personOrGroup(name, workspace)) ?? typed;
  });
}

function personOrGroup(
  name: string,
  { people, userGroups }: Pick<SlackState, 'people' | 'userGroups'>,
): string | undefined {
  const person = people.named(name);
  if (person !== undefined) return `<@${person.id}|${person.name}>`;
  const group = userGroups.find(({ handle }) => handle === name);
  return group && `<!subteam^${group.id}|@${group.handle}>`;
}

function channelNamed(name: string, { conversations }: Pick<SlackState, 'conversations'>): string | undefined {
  const channel = conversations.named(name);
  return channel && `<#${channel.id}|${channel.name}>`;
}
