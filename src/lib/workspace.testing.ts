/** A workspace of which nothing is known but what is posted. */
export const UNKNOWN_WORKSPACE = {
  operators: { users: [], groups: [] },
  workspace: { membersOf: async () => [] },
  channels: { ask: async () => null },
};
