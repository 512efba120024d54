/** Who may change things: what `NOTIF_OPERATORS` says. */
export type Operators =
  | { readonly who: 'everybody' }
  | { readonly who: 'nobody' }
  | { readonly who: 'listed'; readonly users: readonly string[]; readonly groups: readonly string[] };

/** Reads user ids (U…, W…), user group ids (S…) and `*`, comma-separated; unset or empty means nobody. */
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

/** The user ids of operators that are known by name, to whom something can be said. */
export function listedUsers(operators: Operators): readonly string[] {
  return operators.who === 'listed' ? operators.users : [];
}
