/**
 * What delivery remembers: its last success, leases by the database's clock, messages and channels that can't be edited, and edits that
 * are put off. It only adds.
 */
export const DELIVERIES = `
-- when a delivery run last ended without an unexpected error; one row
CREATE TABLE delivery_health (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  succeeded_at timestamptz
);
INSERT INTO delivery_health DEFAULT VALUES;

ALTER TABLE digests
  -- by the database's clock: until then the claim to post it, or to edit it, is its claimer's
  ADD COLUMN leased_until timestamptz,
  ADD COLUMN edit_leased_until timestamptz,
  -- the message is there, and can't be edited
  ADD COLUMN frozen_at timestamptz,
  -- edits tried since the last that succeeded, and when the next one is due
  ADD COLUMN edit_attempt integer NOT NULL DEFAULT 0,
  ADD COLUMN edit_retry_at timestamptz;

ALTER TABLE audit_entries
  ADD COLUMN leased_until timestamptz,
  ADD COLUMN frozen_at timestamptz,
  ADD COLUMN edit_attempt integer NOT NULL DEFAULT 0;

-- the deleted messages of the last half hour
CREATE INDEX digests_gone ON digests (posted_at) WHERE state = 'gone';

-- channels in which the last edit was refused; a row goes when an edit succeeds there
CREATE TABLE edit_refusals (
  channel text PRIMARY KEY,
  -- Slack's word
  reason text NOT NULL,
  since timestamptz NOT NULL,
  -- no edit is tried there before; null: only single messages were refused
  retry_at timestamptz
);
`;
