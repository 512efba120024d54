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
  workflow text NOT NULL,
  channel text NOT NULL,
  provider text NOT NULL,
  minute timestamptz NOT NULL,
  created timestamptz NOT NULL,
  successes integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (environment, channel, provider, minute, workflow, created)
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

-- One cause at one channel and provider of an environment, over all workflows; its number is the installation's. What only counts
-- (retried, then fine; skipped by design) has a row too, which is never open.
CREATE TABLE incidents (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- the same whenever this cause comes back (src/incidents/incident.ts, keyOf)
  key text NOT NULL,
  environment text NOT NULL,
  channel text NOT NULL,
  provider text,
  cause_text text NOT NULL,
  cause_key text NOT NULL,
  -- src/domain/failures/failure.ts, Announcement
  announcement text NOT NULL,
  is_test boolean NOT NULL,
  -- the catalogue says that its cause is a recipient's own
  is_recipients boolean NOT NULL,
  -- firing, recovering, unconfirmed or resolved (src/incidents/state.ts), and since when by our clock
  state text NOT NULL,
  state_at timestamptz NOT NULL,
  -- when failures occurred, by the service's clock: the first, the first of the current outbreak, the last
  first_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  last_recorded_at timestamptz NOT NULL,
  -- only grows: its version
  recorded bigint NOT NULL DEFAULT 0,
  newest_seq bigint NOT NULL DEFAULT 0,
  -- of the current outbreak, which the failures after this one belong to
  started_seq bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  subscribers bigint NOT NULL DEFAULT 0,
  verdicts text[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  critical boolean NOT NULL DEFAULT false,
  relapses integer NOT NULL DEFAULT 0,
  acknowledged_by text,
  acknowledged_at timestamptz,
  assigned_to text,
  assigned_by text,
  assigned_at timestamptz,
  -- null: it recovered by itself
  resolved_by text
);
CREATE INDEX incidents_of_key ON incidents (key, id);
CREATE INDEX incidents_by_recording ON incidents (environment, last_recorded_at);
CREATE INDEX incidents_open ON incidents (environment) WHERE state <> 'resolved';

-- what of an incident's current outbreak belongs to a workflow ('': a deleted one)
CREATE TABLE incident_workflows (
  incident_id bigint NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  workflow text NOT NULL,
  workflow_name text,
  failures bigint NOT NULL,
  events bigint NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  critical boolean NOT NULL,
  PRIMARY KEY (incident_id, workflow)
);

CREATE TABLE failures (
  environment text NOT NULL,
  event_key text NOT NULL,
  job_id text NOT NULL,
  detail_id text NOT NULL,
  -- ascends in the order of commits within an environment, whose row serializes them
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  incident_id bigint NOT NULL,
  workflow text,
  workflow_name text,
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
CREATE INDEX failures_by_recording ON failures (environment, recorded_at);
CREATE INDEX failures_by_age ON failures (recorded_at);
CREATE INDEX failures_of_incident ON failures (incident_id, seq);
CREATE INDEX failures_of_incident_by_time ON failures (incident_id, occurred_at);
CREATE INDEX failures_of_incident_by_subscriber ON failures (incident_id, subscriber_id, seq);

CREATE TABLE watches (
  id text PRIMARY KEY,
  channel text NOT NULL,
  -- what people call it in its channel
  number integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text,
  -- the watch of NOTIF_DIGEST_CHANNEL
  is_configured boolean NOT NULL DEFAULT false,
  -- src/watches/settings.ts, WatchSettings as JSON; null: all failures, right away
  settings jsonb,
  changed_by text,
  -- it is told of what is recorded after this: it was made then, or covers more since
  tells_from timestamptz NOT NULL,
  ended_at timestamptz,
  -- a person's id, or a reason: src/watches/settings.ts, WatchEnd
  ended_by text,
  ended_why text,
  -- the local day of the last daily summary, yyyy-MM-dd, and the end of its range; null: the watch's start
  last_summary_day text,
  summed_to timestamptz,
  -- the newest change that it has shown, by environment; of others ('') the newest when changes:on was set; null: changes:off
  changes_to jsonb
);
CREATE INDEX watches_in_channel ON watches (channel) WHERE ended_at IS NULL;

CREATE TABLE mutes (
  id text PRIMARY KEY,
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  -- null: the whole watch
  incident_id bigint REFERENCES incidents (id) ON DELETE CASCADE,
  muted_by text NOT NULL,
  muted_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- who ended it before its time
  ended_by text
);
CREATE INDEX mutes_of_watch ON mutes (watch_id, until);

-- who changed what, and the outcome (src/domain/access/audit.ts); no payload and no credential
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor text NOT NULL,
  channel text,
  environment text,
  incident_id bigint,
  change jsonb NOT NULL,
  outcome jsonb NOT NULL,
  -- an idempotency key; null: the change can't be submitted twice
  intent_id text UNIQUE
);
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_of_incident ON audit (incident_id) WHERE incident_id IS NOT NULL;

-- The outbox: a message is written in the transaction that decides it, and claimed to be posted or edited. What it says is drawn from
-- the state of that moment.
CREATE TABLE messages (
  id text PRIMARY KEY DEFAULT gen_random_uuid()::text,
  watch_id text REFERENCES watches (id) ON DELETE CASCADE,
  -- instead of the watch's channel: a person's id
  recipient text,
  -- src/digests/message.ts, Kind
  kind text NOT NULL,
  -- what it is told of once: a gap's id, a day
  subject text NOT NULL DEFAULT gen_random_uuid()::text,
  -- '' if it isn't about a single one
  environment text NOT NULL DEFAULT '',
  -- the message in whose thread it is posted
  thread_of text,
  content jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  -- waiting, posting, posted, gone
  state text NOT NULL DEFAULT 'waiting',
  attempt integer NOT NULL DEFAULT 0,
  -- when to try again, or to draw a posted one again; null: at once, or not at all for a posted one
  next_at timestamptz,
  begun_at timestamptz,
  -- by the database's clock: the end of the claim to post or edit it
  leased_until timestamptz,
  -- when the first post with an unknown outcome was begun
  unresolved_since timestamptz,
  last_refusal text,
  posted_at timestamptz,
  ts text,
  -- what it shows; null: nobody knows
  shown_hash text,
  drawn_at timestamptz,
  -- the message exists and can't be edited
  is_frozen boolean NOT NULL DEFAULT false,
  UNIQUE (watch_id, kind, subject)
);
CREATE INDEX messages_to_post ON messages (created_at) WHERE state IN ('waiting', 'posting');
CREATE INDEX messages_to_draw ON messages (next_at) WHERE state = 'posted' AND next_at IS NOT NULL;
CREATE INDEX messages_live ON messages (posted_at) WHERE state = 'posted' AND NOT is_frozen;
CREATE INDEX messages_by_age ON messages (created_at);

-- what a watch, or a person, was told of an incident; the newest counts
CREATE TABLE alerts (
  message_id text NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  incident_id bigint NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  -- null: a direct message
  watch_id text,
  -- src/digests/decide.ts, Reason
  reason text NOT NULL,
  at timestamptz NOT NULL,
  -- of the incident then: its version, its newest failure, how many failures the watch covers, its relapses
  recorded bigint NOT NULL,
  seq bigint NOT NULL,
  matched bigint NOT NULL,
  relapses integer NOT NULL,
  critical boolean NOT NULL,
  -- how many failures a mute had kept from the watch
  missed bigint,
  PRIMARY KEY (message_id, incident_id)
);
CREATE INDEX alerts_of_incident ON alerts (incident_id, watch_id, at);
CREATE INDEX alerts_of_watch ON alerts (watch_id, at);

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
