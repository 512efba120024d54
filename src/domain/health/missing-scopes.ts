/** A scope of Slack that the bot token lacks. */
export interface MissingScope {
  readonly scope: string;
  /** What it is for, in words. */
  readonly use: string;
}

/**
 * What was not granted of what is needed, in the order of the latter.
 *
 * @param needed each scope with what it is for.
 */
export function missingScopes(
  granted: readonly string[],
  needed: Readonly<Record<string, string>>,
): readonly MissingScope[] {
  return Object.entries(needed)
    .filter(([scope]) => !granted.includes(scope))
    .map(([scope, use]) => ({ scope, use }));
}
