/** Who takes care of an incident, by whom and since when. It only adds. */
export const ASSIGNMENTS = `
ALTER TABLE spans
  ADD COLUMN assigned_to text,
  ADD COLUMN assigned_by text,
  ADD COLUMN assigned_at timestamptz;
`;
