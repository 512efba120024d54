export type Operators =
  | { readonly who: 'everybody' }
  | { readonly who: 'nobody' }
  | { readonly who: 'listed'; readonly users: readonly string[]; readonly groups: readonly string[] };

/** Parses user IDs (U…, W…), user group IDs (S…) and `*`, comma-separated; unset or empty means nobody. */
export function parseOperators(text: string | undefined): Operators {
  const ids = (text ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  if (ids.includes('*')) return { who: 'everybody' };
  if (ids.length === 0) return { who: 'nobody' };
  return {
    who: 'listed',
    users: ids.filter((id) => !id.startsWith('S')),
    groups: ids.filter((id) => id.startsWith('S')),
  };
}

export function listedUsers(operators: Operators): readonly string[] {
  return operators.who === 'listed' ? operators.users : [];
}
