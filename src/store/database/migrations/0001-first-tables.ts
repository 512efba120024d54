/** The first tables. What each column means stands beside it where its name does not say it. */
export const FIRST_TABLES = `
CREATE TABLE cursors (
  environment text PRIMARY KEY,
  version bigint NOT NULL,
  covered_from timestamptz NOT NULL,
  read_to timestamptz NOT NULL,
  newest_event_at timestamptz,
  -- all that was counted since the cursor was made: two digests' difference is what was read between them
  events bigint NOT NULL DEFAULT 0,
  unreadable bigint NOT NULL DEFAULT 0
);

CREATE TABLE sightings (
  environment text NOT NULL,
  event_key text NOT NULL,
  is_readable boolean NOT NULL,
  event_id text,
  created_at timestamptz NOT NULL,
  next_read_at timestamptz,
  reads integer NOT NULL,
  PRIMARY KEY (environment, event_key, is_readable)
);
CREATE INDEX sightings_due ON sightings (environment, next_read_at) WHERE next_read_at IS NOT NULL;
CREATE INDEX sightings_settled ON sightings (environment, created_at) WHERE next_read_at IS NULL;

CREATE TABLE event_counts (
  environment text NOT NULL,
  minute timestamptz NOT NULL,
  -- '' for events without one, and for what could not be read
  workflow text NOT NULL,
  events integer NOT NULL,
  unreadable integer NOT NULL,
  PRIMARY KEY (environment, workflow, minute)
);
CREATE INDEX event_counts_by_minute ON event_counts (environment, minute);

CREATE TABLE workflows (
  environment text NOT NULL,
  identifier text NOT NULL,
  id text,
  name text NOT NULL,
  variables jsonb NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (environment, identifier)
);

CREATE TABLE groups (
  key text PRIMARY KEY,
  environment text NOT NULL,
  workflow text,
  workflow_name text,
  channel text NOT NULL,
  provider text,
  cause_text text NOT NULL,
  cause_key text NOT NULL,
  telling text NOT NULL,
  is_test boolean NOT NULL
);

-- A stretch of time in which a group that is announced failed: what one row of a digest tells and counts on. It is summed up as
-- failures come in, so that a digest about an outage of a hundred thousand costs no more to draw than another.
CREATE TABLE spans (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  group_key text NOT NULL REFERENCES groups (key),
  ends_at timestamptz NOT NULL,
  last_recorded_at timestamptz NOT NULL,
  failures bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  subscribers bigint NOT NULL DEFAULT 0,
  first_seen timestamptz NOT NULL DEFAULT 'infinity',
  last_seen timestamptz NOT NULL DEFAULT '-infinity',
  verdicts text[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  critical boolean NOT NULL DEFAULT false,
  -- of the failure recorded last
  event_id text,
  transaction_id text NOT NULL DEFAULT '',
  subscriber_id text
);
CREATE INDEX spans_of_group ON spans (group_key, id);
CREATE INDEX spans_by_time ON spans (last_recorded_at);

-- whom and what a span has counted already, kept as long as it counts
CREATE TABLE span_subjects (
  span_id bigint NOT NULL REFERENCES spans (id) ON DELETE CASCADE,
  -- event or subscriber
  kind text NOT NULL,
  subject text NOT NULL,
  PRIMARY KEY (span_id, kind, subject)
);

CREATE TABLE failures (
  environment text NOT NULL,
  event_key text NOT NULL,
  job_id text NOT NULL,
  detail_id text NOT NULL,
  -- ascends in the order of commits within an environment, whose cursor's row serialises them
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  group_key text NOT NULL REFERENCES groups (key),
  is_announced boolean NOT NULL,
  verdict text NOT NULL,
  occurred_at timestamptz NOT NULL,
  event_created_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  event_id text,
  transaction_id text NOT NULL,
  subscriber_id text,
  severity text,
  critical boolean NOT NULL,
  PRIMARY KEY (environment, event_key, job_id, detail_id)
);
CREATE INDEX failures_of_group ON failures (group_key);
CREATE INDEX failures_by_time ON failures (environment, occurred_at);
CREATE INDEX failures_by_seq ON failures (environment, seq);
CREATE INDEX failures_counted ON failures (environment, seq) WHERE NOT is_announced;
CREATE INDEX failures_by_age ON failures (recorded_at);

CREATE TABLE watches (
  id text PRIMARY KEY,
  channel text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL
);

-- how far a watch has been told about an environment
CREATE TABLE positions (
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  environment text NOT NULL REFERENCES cursors (environment),
  -- made with the environment's cursor: its first digest covers the hour before the start
  from_start boolean NOT NULL,
  told_to timestamptz NOT NULL,
  told_seq bigint NOT NULL,
  told_events bigint NOT NULL,
  told_unreadable bigint NOT NULL,
  last_digest_at timestamptz,
  PRIMARY KEY (watch_id, environment)
);

CREATE TABLE digests (
  id text PRIMARY KEY,
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  environment text NOT NULL,
  kind text NOT NULL,
  created_at timestamptz NOT NULL,
  is_first boolean NOT NULL,
  covered_from timestamptz NOT NULL,
  covered_to timestamptz NOT NULL,
  events bigint NOT NULL,
  unreadable bigint NOT NULL,
  failed_events bigint NOT NULL,
  counted jsonb NOT NULL,
  after_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  -- waiting, posting, posted, gone
  state text NOT NULL DEFAULT 'waiting',
  attempt integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  begun_at timestamptz,
  -- when the first post was begun whose outcome is unknown
  unresolved_since timestamptz,
  last_refusal text,
  posted_at timestamptz,
  ts text,
  fingerprint text,
  edit_begun_at timestamptz,
  -- what was recorded before this is in the message; before this, once the edit that is being made succeeds
  shown_to timestamptz,
  drawing_to timestamptz
);
CREATE INDEX digests_to_post ON digests (created_at) WHERE state IN ('waiting', 'posting');
CREATE INDEX digests_to_edit ON digests (posted_at) WHERE state = 'posted';
CREATE INDEX digests_by_age ON digests (created_at);

-- a span in a digest
CREATE TABLE announcements (
  digest_id text NOT NULL REFERENCES digests (id) ON DELETE CASCADE,
  position integer NOT NULL,
  watch_id text NOT NULL,
  span_id bigint NOT NULL REFERENCES spans (id) ON DELETE CASCADE,
  -- the message is gone: what was recorded from here on it never showed
  told_to timestamptz,
  PRIMARY KEY (digest_id, position)
);
CREATE INDEX announcements_of_span ON announcements (span_id, watch_id);

CREATE TABLE trigger_intents (
  id text PRIMARY KEY,
  environment text NOT NULL,
  actor text NOT NULL,
  workflow text NOT NULL,
  recipients jsonb NOT NULL,
  claimed_at timestamptz NOT NULL,
  closed_at timestamptz,
  progress_channel text,
  progress_ts text
);
CREATE INDEX trigger_intents_by_age ON trigger_intents (claimed_at);
`;
