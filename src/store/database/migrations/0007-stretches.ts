/**
 * What checking for late failures at a growing distance needs: when each stretch of creation times was last checked. The table `sweeps` of
 * the version before is left to its replicas. Nothing is taken over from it: what it knows is checked once more.
 */
export const STRETCHES = `
CREATE TABLE sweep_stretches (
  environment text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- null: not checked yet since its events were new
  checked_at timestamptz,
  -- what the last check found, of channels that bounce
  events integer NOT NULL,
  failed_checks integer NOT NULL,
  not_before timestamptz,
  PRIMARY KEY (environment, begins_at)
);

-- src/use-cases/polling/sweep.ts, SweepNote as JSON; null: no sweep has ended yet
ALTER TABLE cursors ADD COLUMN sweep jsonb;
`;
