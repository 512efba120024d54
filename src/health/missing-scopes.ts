export interface MissingScope {
  readonly scope: string;
  readonly use: string;
}

export function missingScopes(
  granted: readonly string[],
  needed: Readonly<Record<string, string>>,
): readonly MissingScope[] {
  return Object.entries(needed)
    .filter(([scope]) => !granted.includes(scope))
    .map(([scope, use]) => ({ scope, use }));
}
