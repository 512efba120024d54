/** What changing things from Slack needs: the audit trail and its mirror, what a channel asks in, and who looks at their Home tab. It only adds. */
export const CHANGES = `
-- who changed what, and what became of it (src/domain/access/audit.ts); no payload and no credential
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  channel text,
  environment text,
  change jsonb NOT NULL,
  outcome jsonb NOT NULL,
  -- null: what it was made for can not be asked for twice
  intent_id text UNIQUE,
  -- the message that mirrors it: waiting, posting, posted, gone
  state text NOT NULL DEFAULT 'waiting',
  attempt integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  begun_at timestamptz,
  -- when the first post was begun whose outcome is unknown
  unresolved_since timestamptz,
  ts text,
  fingerprint text,
  -- it is to be drawn again from then on
  redraw_at timestamptz,
  edit_begun_at timestamptz
);
CREATE INDEX audit_entries_by_time ON audit_entries (at);
CREATE INDEX audit_entries_to_post ON audit_entries (seq) WHERE state IN ('waiting', 'posting');
CREATE INDEX audit_entries_to_edit ON audit_entries (redraw_at) WHERE redraw_at IS NOT NULL;

-- the channel that mirrors the trail; one row at most
CREATE TABLE audit_mirror (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  channel text NOT NULL,
  -- entries from then on are mirrored
  since timestamptz NOT NULL,
  -- Slack's word for why the channel took no message when it was tried last; null where it did
  problem text
);

-- the environment that is meant in a channel where nobody says which; null: the first
ALTER TABLE channel_settings
  ADD COLUMN environment text,
  -- who set it last, or unset it
  ADD COLUMN environment_by text,
  ADD COLUMN environment_at timestamptz;

-- whose Home tab is kept up to date, since they looked at it lately
CREATE TABLE homes (
  user_id text PRIMARY KEY,
  -- when they last opened it, or clicked there
  seen_at timestamptz NOT NULL,
  published_at timestamptz NOT NULL,
  -- Slack's, of what was published last
  hash text
);

-- what the service answered, a result for each recipient; null: its answer was lost
ALTER TABLE trigger_intents ADD COLUMN results jsonb;
`;
