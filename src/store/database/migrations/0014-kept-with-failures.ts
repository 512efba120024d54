/** What failures can be asked for by besides: those that were recorded before have none. */
export const KEPT_WITH_FAILURES = `
ALTER TABLE failures
  ADD COLUMN contexts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
`;
