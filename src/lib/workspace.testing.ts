/** A workspace that says nothing of its channels and people. */
export const UNKNOWN_WORKSPACE = {
  operators: { users: [], groups: [] },
  workspace: { membersOf: async () => ({ members: [], asOf: new Date() }) },
  channels: { ask: async () => null },
};
