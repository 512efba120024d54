/**
 * All tables. A column has a comment if its name doesn't say what it means. `seq` and `version` are explained where they are created: a
 * failure's place in commit order, and the fencing token of an environment's poll.
 */
export const TABLES = `
-- how far an environment has been polled; its row is locked by the poll that writes down what it read
CREATE TABLE cursors (
  environment text PRIMARY KEY,
  -- the fencing tokens of those who poll the present and of those who check the past
  version bigint NOT NULL,
  past_version bigint NOT NULL DEFAULT 0,
  -- the version with which new events were last checked to the end, or in vain
  concluded_version bigint NOT NULL DEFAULT 0,
  covered_from timestamptz NOT NULL,
  checked_to timestamptz NOT NULL,
  newest_event_at timestamptz,
  -- counted since the cursor was made: two digests' difference is what was read between them
  events bigint NOT NULL DEFAULT 0,
  unreadable bigint NOT NULL DEFAULT 0,
  failed_events bigint NOT NULL DEFAULT 0,
  -- unsettled events that couldn't be seen up to the horizon
  given_up bigint NOT NULL DEFAULT 0,
  last_poll_at timestamptz,
  -- the last poll that read all that was new
  last_success_at timestamptz,
  failing_since timestamptz,
  -- src/domain/errors.ts, ServiceProblem as JSON: what it says is scrubbed
  problem jsonb,
  -- since when the present is being recorded, by the database's clock; null: it is not
  present_since timestamptz,
  -- when what is news was last written down for every watch
  announced_at timestamptz,
  -- how often something became news, and how often it had when that was last written down
  news bigint NOT NULL DEFAULT 0,
  announced_news bigint NOT NULL DEFAULT 0,
  -- how late the checks for late failures are, in milliseconds, and as of when that is known
  behind_ms bigint NOT NULL DEFAULT 0,
  behind_at timestamptz,
  -- src/use-cases/polling/sweep.ts, SweepNote as JSON; null: no sweep has ended yet
  sweep jsonb,
  -- how far the service's clock was ahead of ours, in milliseconds; null: its answers don't say
  clock_ahead_ms bigint
);

-- events that were seen: those that may still change are asked for again at next_read_at
CREATE TABLE tracked_events (
  environment text NOT NULL,
  event_key text NOT NULL,
  is_readable boolean NOT NULL,
  event_id text,
  created_at timestamptz NOT NULL,
  next_read_at timestamptz,
  reads integer NOT NULL,
  -- how often in a row it was asked for and not seen
  misses integer NOT NULL DEFAULT 0,
  PRIMARY KEY (environment, event_key, is_readable)
);
CREATE INDEX tracked_events_due ON tracked_events (environment, next_read_at) WHERE next_read_at IS NOT NULL;
CREATE INDEX tracked_events_settled ON tracked_events (environment, created_at) WHERE next_read_at IS NULL;
CREATE INDEX tracked_events_open ON tracked_events (environment, created_at) WHERE next_read_at IS NOT NULL AND is_readable;

-- when each stretch of creation times was last checked for late failures
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

-- a stretch of time that was not read when it should have been; ends_at is null as long as nothing can be read
CREATE TABLE gaps (
  id text PRIMARY KEY,
  environment text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz,
  -- what kept it from being read (src/domain/polling/gap.ts, GapCause), and the whole ServiceProblem where it was one
  cause text NOT NULL,
  detail jsonb,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  -- what was found in it when it was read
  events bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0
);
CREATE INDEX gaps_open ON gaps (environment) WHERE closed_at IS NULL;
CREATE INDEX gaps_by_time ON gaps (environment, begins_at);

-- what of a gap is still to be read, and what was given up
CREATE TABLE gap_windows (
  gap_id text NOT NULL REFERENCES gaps (id) ON DELETE CASCADE,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  given_up_at timestamptz,
  PRIMARY KEY (gap_id, begins_at)
);

-- events that this database refused
CREATE TABLE quarantine (
  environment text NOT NULL,
  -- SHA-256 of environment and event id: the id itself is not kept
  event_hash text NOT NULL,
  -- SQLSTATE, or the class of an error of Notif's own
  code text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  last_tried_at timestamptz NOT NULL,
  app_version text NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (environment, event_hash)
);

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

-- Events by what they're labeled with, in slots of ten minutes of their creation: what is usual, to tell whom an incident hits. A label is a
-- number of src/domain/failures/labels.ts, which several contexts, topics, tags or severities share; 0 is any event.
CREATE TABLE label_counts (
  environment text NOT NULL,
  workflow text NOT NULL,
  slot timestamptz NOT NULL,
  label smallint NOT NULL,
  events integer NOT NULL,
  PRIMARY KEY (environment, workflow, label, slot)
);
CREATE INDEX label_counts_by_age ON label_counts (slot);

-- steps that were delivered, by the minute in which they were; provider is '' where there is none
CREATE TABLE success_counts (
  environment text NOT NULL,
  channel text NOT NULL,
  provider text NOT NULL,
  minute timestamptz NOT NULL,
  successes integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (environment, channel, provider, minute)
);
CREATE INDEX success_counts_by_age ON success_counts (minute);

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
  -- src/domain/failures/failure.ts, Announcement
  announcement text NOT NULL,
  is_test boolean NOT NULL,
  -- what failures of one cause have in common, whatever their workflow
  incident_key text GENERATED ALWAYS AS (substr(encode(sha256(replace(
    environment || chr(31) || channel || chr(31) || coalesce(provider, '') || chr(31) || cause_key || chr(31) || announcement || chr(31) ||
    CASE WHEN is_test THEN 'test' ELSE '' END, chr(92), chr(92) || chr(92))::bytea), 'hex'), 1, 16)) STORED
);
CREATE INDEX groups_of_incident ON groups (incident_key);

CREATE TABLE failures (
  environment text NOT NULL,
  event_key text NOT NULL,
  job_id text NOT NULL,
  detail_id text NOT NULL,
  -- ascends in the order of commits within an environment, whose cursor's row serialises them
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- No foreign key, which would be checked for each failure: the group is added by the same transaction, and one that fails is kept
  -- from being pruned meanwhile (src/store/pruning.ts).
  group_key text NOT NULL,
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
  -- the keys of the topics that the event was triggered to
  topics text[] NOT NULL DEFAULT '{}',
  contexts text[] NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (environment, event_key, job_id, detail_id)
);
CREATE INDEX failures_by_time ON failures (environment, occurred_at);
CREATE INDEX failures_by_seq ON failures (environment, seq);
CREATE INDEX failures_counted ON failures (environment, seq) WHERE NOT is_announced;
CREATE INDEX failures_by_age ON failures (recorded_at);
-- a group's failures since some other, page by page, and the subscribers that they hit
CREATE INDEX failures_of_group_by_seq ON failures (group_key, seq);
CREATE INDEX failures_of_group_by_time ON failures (group_key, occurred_at);
CREATE INDEX failures_of_group_by_subscriber ON failures (group_key, subscriber_id, seq);

-- the severities, topics, contexts and tags that failures had, each as it is spelled
CREATE TABLE failure_names (
  environment text NOT NULL,
  -- as src/domain/failures/failure-filter.ts calls its filters
  kind text NOT NULL,
  name text NOT NULL,
  -- when a failure that has it was recorded last, or up to an hour before that
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (environment, kind, name)
);

-- failures of a group by the minute in which they occurred: trends and thresholds
CREATE TABLE group_counts (
  group_key text NOT NULL REFERENCES groups (key) ON DELETE CASCADE,
  minute timestamptz NOT NULL,
  failures integer NOT NULL,
  PRIMARY KEY (group_key, minute)
);
CREATE INDEX group_counts_by_age ON group_counts (minute);

-- An episode of an incident (src/domain/incidents/episode.ts): what one row of a digest says and counts on. It is summed up as failures
-- come in, so that a digest about an outage of a hundred thousand costs no more to draw than another.
CREATE TABLE episodes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_key text NOT NULL,
  -- the group that it began with
  group_key text NOT NULL REFERENCES groups (key),
  began_as text NOT NULL,
  returns integer NOT NULL DEFAULT 0,
  ends_at timestamptz NOT NULL,
  last_recorded_at timestamptz NOT NULL,
  newest_seq bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  subscribers bigint NOT NULL DEFAULT 0,
  first_seen timestamptz NOT NULL DEFAULT 'infinity',
  last_seen timestamptz NOT NULL DEFAULT '-infinity',
  verdicts text[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  topics text[] NOT NULL DEFAULT '{}',
  critical boolean NOT NULL DEFAULT false,
  -- of the failure recorded last
  event_id text,
  transaction_id text NOT NULL DEFAULT '',
  subscriber_id text,
  -- firing, quiet, recovering or resolved (src/domain/incidents/incident.ts), and when it became so
  state text NOT NULL DEFAULT 'firing',
  state_at timestamptz,
  -- who resolved it; null: nobody did, it recovered
  resolved_by text,
  -- the last failure before it last relapsed; null: it hasn't
  calm_from timestamptz,
  -- how often it has failed again after it had recovered or was resolved
  relapses integer NOT NULL DEFAULT 0,
  -- when it did so in this episode
  relapsed_at timestamptz[] NOT NULL DEFAULT '{}',
  -- the first success of the same workflow, channel and provider after the last failure
  succeeding_since timestamptz,
  acknowledged_by text,
  acknowledged_at timestamptz,
  -- who took the last acknowledgment back
  unacknowledged_by text,
  unacknowledged_at timestamptz,
  assigned_to text,
  assigned_by text,
  assigned_at timestamptz
);
CREATE INDEX episodes_of_group ON episodes (group_key, id);
CREATE INDEX episodes_of_incident ON episodes (incident_key, id);
CREATE INDEX episodes_by_time ON episodes (last_recorded_at);
CREATE INDEX episodes_by_seq ON episodes (newest_seq);
CREATE INDEX episodes_open ON episodes (last_recorded_at) WHERE state <> 'resolved';

-- what of an episode belongs to each of its groups; the columns mean what they mean in episodes
CREATE TABLE episode_parts (
  episode_id bigint NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  group_key text NOT NULL REFERENCES groups (key),
  newest_seq bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  subscribers bigint NOT NULL DEFAULT 0,
  first_seen timestamptz NOT NULL DEFAULT 'infinity',
  last_seen timestamptz NOT NULL DEFAULT '-infinity',
  -- when the first and the last of its events were created: of that stretch of its workflow's events it has a share
  first_event_at timestamptz,
  last_event_at timestamptz,
  verdicts text[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  topics text[] NOT NULL DEFAULT '{}',
  critical boolean NOT NULL DEFAULT false,
  event_id text,
  transaction_id text NOT NULL DEFAULT '',
  subscriber_id text,
  PRIMARY KEY (episode_id, group_key)
);
CREATE INDEX episode_parts_of_group ON episode_parts (group_key);

-- What people wrote about incidents. It's kept longer than the episode that it's about, so that has no foreign key.
CREATE TABLE notes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_key text NOT NULL,
  episode_id bigint NOT NULL,
  written_by text NOT NULL,
  written_at timestamptz NOT NULL,
  -- without secrets and contacts
  text text NOT NULL,
  -- the first and the last failure of its episode, once that is no longer kept
  first_seen timestamptz,
  last_seen timestamptz
);
CREATE INDEX notes_of_incident ON notes (incident_key, id);
CREATE INDEX notes_of_episode ON notes (episode_id, id);

CREATE TABLE watches (
  id text PRIMARY KEY,
  channel text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text,
  -- the one that NOTIF_DIGEST_CHANNEL asks for
  is_configured boolean NOT NULL DEFAULT false,
  -- src/domain/watches/watch.ts, WatchSettings as JSON; null: everything, at once
  settings jsonb,
  changed_by text,
  ended_at timestamptz,
  -- a person's id, or a reason: src/domain/watches/watch.ts, WatchEnd
  ended_by text,
  ended_why text,
  -- when it was looked up last whether the creator is still there, and since when they were found to be gone
  creator_checked_at timestamptz,
  orphaned_at timestamptz,
  -- the local day of the last daily summary, yyyy-MM-dd, and up to when it was about; null: it begins with the watch
  last_summary_day text,
  summed_to timestamptz
);
CREATE INDEX watches_in_channel ON watches (channel) WHERE ended_at IS NULL;

-- up to where a watch has been alerted about an environment
CREATE TABLE positions (
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  environment text NOT NULL REFERENCES cursors (environment),
  -- made with the environment's cursor: its first digest covers the hour before the start
  from_start boolean NOT NULL,
  announced_to timestamptz NOT NULL,
  announced_seq bigint NOT NULL,
  announced_events bigint NOT NULL,
  announced_unreadable bigint NOT NULL,
  -- failures up to here were looked at for this watch
  scanned_seq bigint NOT NULL DEFAULT 0,
  last_digest_at timestamptz,
  -- the last digest with incidents
  last_alert_at timestamptz,
  -- what had been counted when the last daily summary was written: the next one is about the difference
  summed_seq bigint NOT NULL DEFAULT 0,
  summed_events bigint NOT NULL DEFAULT 0,
  summed_unreadable bigint NOT NULL DEFAULT 0,
  summed_failed_events bigint NOT NULL DEFAULT 0,
  -- the newest change that the watch has shown, or that was there when it was asked to; null: it shows none
  changes_to bigint,
  PRIMARY KEY (watch_id, environment)
);

-- an episode that a watch is to be alerted to later: it is muted, in quiet hours, had its digest just now, or its message is gone
CREATE TABLE held_back (
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  episode_id bigint NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  -- quiet, mute, pace or gone
  why text NOT NULL,
  PRIMARY KEY (watch_id, episode_id)
);

CREATE TABLE mutes (
  id text PRIMARY KEY,
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  -- null: the whole watch
  group_key text REFERENCES groups (key) ON DELETE CASCADE,
  muted_by text NOT NULL,
  muted_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- who ended it before its time
  ended_by text,
  -- what was missed has been announced
  settled_at timestamptz
);
CREATE INDEX mutes_unsettled ON mutes (watch_id) WHERE settled_at IS NULL;

-- who changed what, and what came of it (src/domain/access/audit.ts); no payload and no credential
CREATE TABLE audit_entries (
  id text PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  channel text,
  environment text,
  change jsonb NOT NULL,
  outcome jsonb NOT NULL,
  -- an idempotency key; null: what it was made for can't be asked for twice
  intent_id text UNIQUE
);
CREATE INDEX audit_entries_by_time ON audit_entries (at);

-- the channel that mirrors the trail; one row at most
CREATE TABLE audit_mirror (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  channel text NOT NULL,
  -- Slack's word for why the channel took no message when it was tried last; null where it did
  problem text
);

-- The transactional outbox: a message to a watch, or to the channel that mirrors the audit trail, written in the transaction that decides it
-- and delivered under a lease. kind says what it is (src/domain/alerting/delivery.ts).
CREATE TABLE messages (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  watch_id text REFERENCES watches (id) ON DELETE CASCADE,
  -- instead of a watch: the entry of the audit trail that it mirrors
  entry_id text UNIQUE REFERENCES audit_entries (id) ON DELETE CASCADE,
  -- '' where it's about no single one
  environment text NOT NULL DEFAULT '',
  kind text NOT NULL,
  -- instead of the watch's channel: a person's id, or the channel of the mirror
  recipient text,
  -- the message in whose thread it belongs
  thread_of text,
  gap_id text REFERENCES gaps (id) ON DELETE CASCADE,
  mention jsonb,
  created_at timestamptz NOT NULL,
  -- of a digest: whether it's the first about its environment, and what was checked, and found, in what it covers
  is_first boolean NOT NULL DEFAULT false,
  covered_from timestamptz NOT NULL,
  covered_to timestamptz NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  unreadable bigint NOT NULL DEFAULT 0,
  -- the failures that it's about: those recorded after the first, up to the second
  after_seq bigint NOT NULL DEFAULT 0,
  to_seq bigint NOT NULL DEFAULT 0,
  -- {why, from, to}: it is about what was held back
  held_back jsonb,
  -- what only its kind has, as JSON
  details jsonb,
  -- waiting, posting, posted, gone
  state text NOT NULL DEFAULT 'waiting',
  attempt integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  begun_at timestamptz,
  -- by the database's clock: until then the claim to post it, or to edit it, is its claimer's
  leased_until timestamptz,
  edit_leased_until timestamptz,
  -- when the first post was begun whose outcome is unknown
  unresolved_since timestamptz,
  last_refusal text,
  posted_at timestamptz,
  ts text,
  fingerprint text,
  edit_begun_at timestamptz,
  -- edits tried since the last that succeeded, and when the next one is due
  edit_attempt integer NOT NULL DEFAULT 0,
  edit_retry_at timestamptz,
  -- the message is there, and can't be edited
  frozen_at timestamptz,
  -- what was recorded before this is in the message; before this, once the edit that is being made succeeds
  shown_to timestamptz,
  drawing_to timestamptz,
  -- it is to be drawn again from then on, whatever was recorded
  redraw_at timestamptz,
  -- the failures that its rows show, to edit the most changed first
  shown_failures bigint NOT NULL DEFAULT 0,
  CHECK (num_nonnulls(watch_id, entry_id) = 1)
);
CREATE INDEX messages_to_post ON messages (created_at) WHERE state IN ('waiting', 'posting');
CREATE INDEX messages_to_edit ON messages (posted_at) WHERE state = 'posted';
CREATE INDEX messages_to_redraw ON messages (redraw_at) WHERE redraw_at IS NOT NULL;
CREATE INDEX messages_by_age ON messages (created_at);
CREATE INDEX messages_of_watch ON messages (watch_id);
CREATE INDEX messages_being_edited ON messages (edit_begun_at) WHERE drawing_to IS NOT NULL;
-- the deleted messages of the last half hour
CREATE INDEX messages_gone ON messages (posted_at) WHERE state = 'gone';
CREATE UNIQUE INDEX messages_of_gap ON messages (gap_id, watch_id) WHERE gap_id IS NOT NULL;

-- an episode in a digest
CREATE TABLE announcements (
  message_id text NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  position integer NOT NULL,
  watch_id text NOT NULL,
  episode_id bigint NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  -- src/domain/alerting/delivery.ts, RowReason
  reason text NOT NULL,
  announced_at timestamptz NOT NULL,
  -- what the watch knew of the episode then
  announced_failures bigint NOT NULL,
  -- the newest failure of the environment then
  announced_seq bigint NOT NULL,
  announced_relapses integer NOT NULL DEFAULT 0,
  announced_critical boolean NOT NULL DEFAULT false,
  -- how many failures a mute had kept from the watch
  missed bigint,
  -- the message is gone: what was recorded from here on it never showed
  announced_to timestamptz,
  PRIMARY KEY (message_id, position)
);
CREATE INDEX announcements_of_episode ON announcements (episode_id, watch_id);

-- when a delivery run last ended without an unexpected error; one row
CREATE TABLE delivery_health (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  succeeded_at timestamptz
);
INSERT INTO delivery_health DEFAULT VALUES;

-- when messages were edited within the last minute, over all replicas
CREATE TABLE edits (
  begun_at timestamptz NOT NULL
);

-- channels in which the last edit was refused; a row goes when an edit succeeds there
CREATE TABLE edit_refusals (
  channel text PRIMARY KEY,
  -- Slack's word
  reason text NOT NULL,
  since timestamptz NOT NULL,
  -- no edit is tried there before; null: only single messages were refused
  retry_at timestamptz
);

-- Slack asked to wait: 'edits', or the channel or person to whom nothing is posted before
CREATE TABLE slack_pauses (
  subject text PRIMARY KEY,
  until timestamptz NOT NULL
);

-- what people set for a channel
CREATE TABLE channel_settings (
  channel text PRIMARY KEY,
  time_zone text,
  -- the environment that is meant where nobody says which, and who set or unset it last; null: the first
  environment text,
  environment_by text,
  environment_at timestamptz
);

-- what was changed around an environment: its integrations, its workflows, deploys
CREATE TABLE changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  -- by then it was made, and not before; null: at is the moment itself
  at timestamptz NOT NULL,
  not_before timestamptz,
  -- src/domain/changes/change.ts, Changed as JSON
  what jsonb NOT NULL
);
CREATE INDEX changes_by_time ON changes (environment, at);

-- an environment's integrations as they were read last
CREATE TABLE integration_readings (
  environment text PRIMARY KEY,
  -- the service's own id of the environment: its list has those of the whole organization
  service_environment_id text NOT NULL,
  -- src/domain/changes/integration-readings.ts, IntegrationState as JSON
  integrations jsonb NOT NULL,
  -- since when they are compared, and when the last reading was asked for
  since timestamptz NOT NULL,
  read_at timestamptz NOT NULL
);

-- whose Home tab is kept up to date, since they looked at it lately
CREATE TABLE homes (
  user_id text PRIMARY KEY,
  -- when they last opened it, or clicked there
  seen_at timestamptz NOT NULL,
  published_at timestamptz NOT NULL,
  -- Slack's, of what was published last
  hash text
);

-- a trigger that somebody asked for: the idempotency key of its modal, written down before the request
CREATE TABLE trigger_intents (
  id text PRIMARY KEY,
  environment text NOT NULL,
  actor text NOT NULL,
  workflow text NOT NULL,
  recipients jsonb NOT NULL,
  -- what the service answered, a result for each recipient; null: its answer was lost
  results jsonb,
  claimed_at timestamptz NOT NULL,
  closed_at timestamptz,
  progress_channel text,
  progress_ts text
);
CREATE INDEX trigger_intents_by_age ON trigger_intents (claimed_at);

-- texts that Slack has no room for, or that somebody typed, each sealed and until when it's kept
CREATE TABLE kept_texts (
  key text PRIMARY KEY,
  sealed text NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX kept_texts_until ON kept_texts (until);
`;
