/** A workspace that says nothing of its channels and people. */
export const UNKNOWN_WORKSPACE = {
  operators: { users: [], groups: [] },
  workspace: { membersOf: async () => [] },
  channels: { ask: async () => null },
};
