import type { SlackState } from '../state/slack-state.ts';

/** Turns '@ann' and '#oncall' into Slack's references, as `should_escape` asks: `<@U0ANN|ann>`, `<#C0ONCALL|oncall>`. */
export function escapeMentions(
  text: string,
  { people, conversations }: Pick<SlackState, 'people' | 'conversations'>,
): string {
  return text
    .replace(/@([\w.-]+)/g, (typed, name) => {
      const person = people.find((each) => each.name === name);
      return person === undefined ? typed : `<@${person.id}|${person.name}>`;
    })
    .replace(/#([\w-]+)/g, (typed, name) => {
      const channel = conversations.named(name);
      return channel === undefined ? typed : `<#${channel.id}|${channel.name}>`;
    });
}
