import { get } from 'node-emoji';

/** Names that Slack has and the emoji list does not. */
const slackNames: Readonly<Record<string, string>> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_brown_circle: '🟤',
  black_right_pointing_double_triangle_with_vertical_bar: '⏭️',
};

/** The character for an emoji's name (without colons); the name in colons where there is none, as Slack shows it. */
export function emojiFor(name: string): string {
  return slackNames[name] ?? get(name) ?? `:${name}:`;
}
