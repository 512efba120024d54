/** When the first and the last event of an episode were created: of that stretch of its workflow's events it has a share. */
export const SHARES = `
ALTER TABLE spans ADD COLUMN first_event_at timestamptz, ADD COLUMN last_event_at timestamptz;
`;
