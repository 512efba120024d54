/**
 * All tables. A column has a comment if its name doesn't say what it means. `seq` is explained where it is created: a
 * failure's place in commit order.
 */
export const TABLES = `
-- how far an environment's list has been read; what records locks its row
CREATE TABLE environments (
  environment text PRIMARY KEY,
  -- no pass reads what was created before
  covered_from timestamptz NOT NULL,
  -- how far the present was read and, by age in minutes, each pass (src/polling/passes.ts); by the service's clock
  checked_to timestamptz NOT NULL,
  read_to jsonb NOT NULL DEFAULT '{}',
  -- by the service's clock, of the events that finished polls have read
  newest_event_at timestamptz,
  -- counted since it was first read; a digest reports the difference since the one before
  events bigint NOT NULL DEFAULT 0,
  unreadable bigint NOT NULL DEFAULT 0,
  failed_events bigint NOT NULL DEFAULT 0,
  last_poll_at timestamptz,
  last_success_at timestamptz,
  failing_since timestamptz,
  -- src/domain/errors.ts, ServiceProblem as JSON, scrubbed
  problem jsonb,
  -- when announcing last succeeded for every watch
  announced_at timestamptz,
  -- counts recorded news; and its value when announcing last succeeded
  news bigint NOT NULL DEFAULT 0,
  announced_news bigint NOT NULL DEFAULT 0,
  -- how late the passes are, in milliseconds
  behind_ms bigint NOT NULL DEFAULT 0,
  -- how far the service's clock was ahead of Notif's, in milliseconds; null: its answers don't say
  clock_ahead_ms bigint
);

-- a time range that wasn't checked when it was due; ends_at is null while nothing can be read
CREATE TABLE gaps (
  id text PRIMARY KEY,
  environment text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz,
  -- why it wasn't checked (src/domain/polling/gap.ts, GapCause), and the whole ServiceProblem if it was one
  cause text NOT NULL,
  detail jsonb,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  -- what of it isn't checked: [{from, to, tries, nextTryAt}]; nextTryAt is null where it was given up
  unchecked jsonb NOT NULL DEFAULT '[]',
  -- what Notif found in it
  events bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0
);
CREATE INDEX gaps_open ON gaps (environment) WHERE closed_at IS NULL;
CREATE INDEX gaps_by_time ON gaps (environment, begins_at);

CREATE TABLE event_counts (
  environment text NOT NULL,
  minute timestamptz NOT NULL,
  -- '' for events without one and for unreadable events
  workflow text NOT NULL,
  events integer NOT NULL,
  unreadable integer NOT NULL,
  PRIMARY KEY (environment, workflow, minute)
);
CREATE INDEX event_counts_by_minute ON event_counts (environment, minute);

-- delivered steps by the minute in which they were, and that in which their events were created; provider is '' where there is none
CREATE TABLE success_counts (
  environment text NOT NULL,
  channel text NOT NULL,
  provider text NOT NULL,
  minute timestamptz NOT NULL,
  created timestamptz NOT NULL,
  successes integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (environment, channel, provider, minute, created)
);
CREATE INDEX success_counts_by_creation ON success_counts (environment, created);

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
  -- the key of the incident: the same for all workflows with this cause
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
  -- ascends in the order of commits within an environment, whose row serializes them
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
-- a group's failures page by page, and the affected subscribers
CREATE INDEX failures_of_group_by_seq ON failures (group_key, seq);
CREATE INDEX failures_of_group_by_time ON failures (group_key, occurred_at);
CREATE INDEX failures_of_group_by_subscriber ON failures (group_key, subscriber_id, seq);

-- the severities, topics, contexts and tags that failures had, each in its own spelling
CREATE TABLE failure_names (
  environment text NOT NULL,
  -- the name of a filter in src/domain/failures/failure-filter.ts
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

-- An episode of an incident (src/domain/incidents/episode.ts): the contents of one row of a digest. It is summed up as failures
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
  -- who resolved it; null if it recovered
  resolved_by text,
  -- the last failure before it last relapsed; null: it hasn't
  calm_from timestamptz,
  -- how often it has relapsed
  relapses integer NOT NULL DEFAULT 0,
  -- when it relapsed, and ended, in this episode
  relapsed_at timestamptz[] NOT NULL DEFAULT '{}',
  ended_at timestamptz[] NOT NULL DEFAULT '{}',
  -- the first success of the same workflow, channel and provider after the last failure
  succeeding_since timestamptz,
  acknowledged_by text,
  acknowledged_at timestamptz,
  -- who last unacknowledged it
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
  -- when the first and the last of its events were created: its share is of the workflow's events in that range
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

-- Notes about incidents. They are kept longer than their episodes, so they have no foreign key.
CREATE TABLE notes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  incident_key text NOT NULL,
  episode_id bigint NOT NULL,
  written_by text NOT NULL,
  written_at timestamptz NOT NULL,
  -- without secrets and contacts
  text text NOT NULL,
  -- the first and the last failure of its episode, once that is deleted
  first_seen timestamptz,
  last_seen timestamptz
);
CREATE INDEX notes_of_incident ON notes (incident_key, id);
CREATE INDEX notes_of_episode ON notes (episode_id, id);

CREATE TABLE watches (
  id text PRIMARY KEY,
  channel text NOT NULL,
  -- what people call it in its channel
  number integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text,
  -- the watch of NOTIF_DIGEST_CHANNEL
  is_configured boolean NOT NULL DEFAULT false,
  -- src/domain/watches/watch.ts, WatchSettings as JSON; null: all failures, right away
  settings jsonb,
  changed_by text,
  ended_at timestamptz,
  -- a person's id, or a reason: src/domain/watches/watch.ts, WatchEnd
  ended_by text,
  ended_why text,
  -- the local day of the last daily summary, yyyy-MM-dd, and the end of its range; null: the watch's start
  last_summary_day text,
  summed_to timestamptz
);
CREATE INDEX watches_in_channel ON watches (channel) WHERE ended_at IS NULL;

-- how far a watch has been alerted about an environment
CREATE TABLE positions (
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  environment text NOT NULL REFERENCES environments (environment),
  -- created with the environment: its first digest covers the hour before the start
  from_start boolean NOT NULL,
  announced_to timestamptz NOT NULL,
  announced_seq bigint NOT NULL,
  announced_events bigint NOT NULL,
  announced_unreadable bigint NOT NULL,
  -- failures up to here have been considered for this watch
  scanned_seq bigint NOT NULL DEFAULT 0,
  last_digest_at timestamptz,
  -- the last digest with incidents
  last_alert_at timestamptz,
  -- what had been counted when the last daily summary was written: the next one is about the difference
  summed_seq bigint NOT NULL DEFAULT 0,
  summed_events bigint NOT NULL DEFAULT 0,
  summed_unreadable bigint NOT NULL DEFAULT 0,
  summed_failed_events bigint NOT NULL DEFAULT 0,
  -- when a change of the watch's filter made it cover the environment; null: it has since it was made, or never did
  covered_since timestamptz,
  -- the newest change that the watch has shown, or that existed when changes:on was set; null: changes:off
  changes_to bigint,
  PRIMARY KEY (watch_id, environment)
);

-- an episode that a watch will be alerted to later: it is muted, in quiet hours, had its digest just now, or its message is gone
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

-- who changed what, and the outcome (src/domain/access/audit.ts); no payload and no credential
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  channel text,
  environment text,
  change jsonb NOT NULL,
  outcome jsonb NOT NULL,
  -- an idempotency key; null: the change can't be submitted twice
  intent_id text UNIQUE
);
CREATE INDEX audit_by_time ON audit (at);

-- The transactional outbox: a message to a watch, written in the transaction that decides it and delivered under a lease. kind says what it is (src/domain/alerting/delivery.ts).
CREATE TABLE messages (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  -- '' if it isn't about a single one
  environment text NOT NULL DEFAULT '',
  kind text NOT NULL,
  -- instead of the watch's channel: a person's id
  recipient text,
  -- the message in whose thread it is posted
  thread_of text,
  gap_id text REFERENCES gaps (id) ON DELETE CASCADE,
  mention jsonb,
  created_at timestamptz NOT NULL,
  -- for a digest: whether it's the first about its environment, and what was checked and found in its range
  is_first boolean NOT NULL DEFAULT false,
  covered_from timestamptz NOT NULL,
  covered_to timestamptz NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  unreadable bigint NOT NULL DEFAULT 0,
  -- {why, from, to}: why and when it was held back
  held_back jsonb,
  -- content specific to its kind, as JSON
  details jsonb,
  -- waiting, posting, posted, gone
  state text NOT NULL DEFAULT 'waiting',
  attempt integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  begun_at timestamptz,
  -- by the database's clock: the end of the lease to post or edit it
  leased_until timestamptz,
  edit_leased_until timestamptz,
  -- when the first post with an unknown outcome was begun
  unresolved_since timestamptz,
  last_refusal text,
  posted_at timestamptz,
  ts text,
  fingerprint text,
  edit_begun_at timestamptz,
  -- failed edits since the last success, and when the next one is due
  edit_attempt integer NOT NULL DEFAULT 0,
  edit_retry_at timestamptz,
  -- the message exists and can't be edited
  frozen_at timestamptz,
  -- the message shows what was recorded before this; and before this, once the current edit succeeds
  shown_to timestamptz,
  drawing_to timestamptz,
  -- it must be redrawn from then on, whatever was recorded
  redraw_at timestamptz,
  -- the failures that its rows show, to edit the most changed first
  shown_failures bigint NOT NULL DEFAULT 0
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
  -- what the message showed of the episode
  announced_failures bigint NOT NULL,
  -- the newest failure of the environment then
  announced_seq bigint NOT NULL,
  announced_relapses integer NOT NULL DEFAULT 0,
  announced_critical boolean NOT NULL DEFAULT false,
  -- the watch's filter has changed since, so that both are to be counted again
  has_other_filter boolean NOT NULL DEFAULT false,
  -- how many failures a mute had kept from the watch
  missed bigint,
  -- the message is gone: it never showed what was recorded from here on
  announced_to timestamptz,
  PRIMARY KEY (message_id, position)
);
CREATE INDEX announcements_of_episode ON announcements (episode_id, watch_id);

-- when messages were edited within the last minute, over all replicas
CREATE TABLE edits (
  begun_at timestamptz NOT NULL
);

-- channels in which the last edit was refused; a row goes when an edit succeeds there, or a day later if no watch is there
CREATE TABLE edit_refusals (
  channel text PRIMARY KEY,
  -- Slack's word
  reason text NOT NULL,
  since timestamptz NOT NULL,
  -- no edit is tried there before this; null: only single messages were refused
  retry_at timestamptz
);

-- pauses that Slack asked for: 'edits', or a channel or person
CREATE TABLE slack_pauses (
  subject text PRIMARY KEY,
  until timestamptz NOT NULL
);

-- changes in an environment: integrations, workflows, deploys
CREATE TABLE changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment text NOT NULL,
  -- it was made by at, and not before not_before; null: exactly at at
  at timestamptz NOT NULL,
  not_before timestamptz,
  -- src/domain/changes/change.ts, Changed as JSON
  what jsonb NOT NULL
);
CREATE INDEX changes_by_time ON changes (environment, at);

-- the rest, by name: a channel's time zone and environment, the last heartbeat, the last reading of integrations
CREATE TABLE kv (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  expires_at timestamptz
);

-- a requested trigger: the idempotency key of its modal, recorded before the request
CREATE TABLE triggers (
  id text PRIMARY KEY,
  environment text NOT NULL,
  actor text NOT NULL,
  workflow text NOT NULL,
  recipients jsonb NOT NULL,
  -- the service's result for each recipient; null: its answer was lost
  results jsonb,
  claimed_at timestamptz NOT NULL,
  closed_at timestamptz,
  -- the message that shows its progress: {channel, ts}
  progress jsonb
);
CREATE INDEX triggers_by_age ON triggers (claimed_at);
`;
