import { get } from 'node-emoji';

/** Slack's names that the emoji list doesn't have. */
const slackNames: Readonly<Record<string, string>> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_brown_circle: '🟤',
  black_right_pointing_double_triangle_with_vertical_bar: '⏭️',
};

/** Returns the character for an emoji's name (without colons), or the name in colons if there is none, as Slack shows it. */
export function emojiFor(name: string): string {
  return slackNames[name] ?? get(name) ?? `:${name}:`;
}
