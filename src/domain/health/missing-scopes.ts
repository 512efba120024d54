/** A Slack scope that the bot token lacks. */
export interface MissingScope {
  readonly scope: string;
  /** Its purpose, in words. */
  readonly use: string;
}

/**
 * Returns the needed scopes that were not granted, in the order of `needed`.
 *
 * @param needed each scope with its purpose.
 */
export function missingScopes(
  granted: readonly string[],
  needed: Readonly<Record<string, string>>,
): readonly MissingScope[] {
  return Object.entries(needed)
    .filter(([scope]) => !granted.includes(scope))
    .map(([scope, use]) => ({ scope, use }));
}
