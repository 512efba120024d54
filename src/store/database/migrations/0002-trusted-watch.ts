/**
 * What a watch needs to be trusted: settings, episodes with a state, mutes, gaps in the reading, sweeps for late failures. It only
 * adds, with defaults, so that a replica of the version before goes on reading and telling while it is replaced. One thing it takes
 * away: a channel may have several watches. A replica of the version before that is *started* after this is refused by that.
 */
export const TRUSTED_WATCH = `
-- how the reading of an environment goes
ALTER TABLE cursors
  ADD COLUMN last_round_at timestamptz,
  -- the last round that read all that was new
  ADD COLUMN last_success_at timestamptz,
  ADD COLUMN failing_since timestamptz,
  -- src/domain/errors.ts, ServiceProblem as JSON: what it says is scrubbed
  ADD COLUMN problem jsonb,
  -- how late the latest sweep for late failures is, in milliseconds
  ADD COLUMN behind_ms bigint NOT NULL DEFAULT 0,
  -- all that were counted since the cursor was made, like events
  ADD COLUMN failed_events bigint NOT NULL DEFAULT 0,
  -- how far the service's clock was ahead of ours, in milliseconds; null: its answers do not say
  ADD COLUMN clock_ahead_ms bigint;

-- up to where events of an age have been read again for late failures
CREATE TABLE sweeps (
  environment text NOT NULL,
  -- the age at which events are read again, in seconds
  age_seconds bigint NOT NULL,
  swept_to timestamptz NOT NULL,
  PRIMARY KEY (environment, age_seconds)
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

-- A row of spans is an episode of a group (src/domain/incidents/episode.ts).
ALTER TABLE spans
  ADD COLUMN began_as text NOT NULL DEFAULT 'new',
  ADD COLUMN returns integer NOT NULL DEFAULT 0,
  ADD COLUMN newest_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN topics text[] NOT NULL DEFAULT '{}',
  -- the first success of the same workflow, channel and provider after the last failure
  ADD COLUMN sending_since timestamptz,
  -- failing, quiet or recovered, as it was when it was looked at last
  ADD COLUMN phase text NOT NULL DEFAULT 'failing',
  ADD COLUMN acknowledged_by text,
  ADD COLUMN acknowledged_at timestamptz,
  -- who took the last acknowledgement back
  ADD COLUMN taken_back_by text,
  ADD COLUMN taken_back_at timestamptz;
CREATE INDEX spans_failing ON spans (last_recorded_at) WHERE phase = 'failing';
CREATE INDEX spans_by_seq ON spans (newest_seq);
CREATE INDEX spans_recovering ON spans (id) WHERE phase = 'quiet' AND sending_since IS NOT NULL;
UPDATE spans s SET newest_seq = coalesce((SELECT max(seq) FROM failures f WHERE f.group_key = s.group_key), 0);
-- an episode that a replica of the version before begins is newer than all that was looked at
ALTER TABLE spans ALTER COLUMN newest_seq SET DEFAULT nextval(pg_get_serial_sequence('failures', 'seq'));

-- the keys of the topics that the event was triggered to
ALTER TABLE failures ADD COLUMN topics text[] NOT NULL DEFAULT '{}';

-- a group's failures since some other, page by page, and the subscribers that they hit
CREATE INDEX failures_of_group_by_seq ON failures (group_key, seq);
CREATE INDEX failures_of_group_by_time ON failures (group_key, occurred_at);
CREATE INDEX failures_of_group_by_subscriber ON failures (group_key, subscriber_id);
DROP INDEX failures_of_group;

-- failures of a group by the minute in which they occurred: trends and thresholds
CREATE TABLE group_counts (
  group_key text NOT NULL REFERENCES groups (key) ON DELETE CASCADE,
  minute timestamptz NOT NULL,
  failures integer NOT NULL,
  PRIMARY KEY (group_key, minute)
);
CREATE INDEX group_counts_by_age ON group_counts (minute);

ALTER TABLE watches
  DROP CONSTRAINT watches_channel_key,
  ADD COLUMN created_by text,
  ADD COLUMN is_configured boolean NOT NULL DEFAULT false,
  -- src/domain/watches/watch.ts, WatchSettings as JSON; null: everything, at once
  ADD COLUMN settings jsonb,
  ADD COLUMN changed_by text,
  ADD COLUMN changed_at timestamptz,
  ADD COLUMN ended_at timestamptz,
  -- a person's id, or a reason of src/domain/watch-end.ts
  ADD COLUMN ended_by text,
  ADD COLUMN ended_why text,
  -- when it was looked up last whether the creator is still there, and since when they were found to be gone
  ADD COLUMN creator_checked_at timestamptz,
  ADD COLUMN orphaned_at timestamptz,
  -- the local day of the last daily summary, yyyy-MM-dd
  ADD COLUMN last_summary_day text,
  -- up to when the last one told; null: it is to begin with the watch
  ADD COLUMN summed_to timestamptz;
CREATE INDEX watches_in_channel ON watches (channel) WHERE ended_at IS NULL;
UPDATE watches SET is_configured = true;

ALTER TABLE positions
  -- failures up to here were looked at for this watch
  ADD COLUMN scanned_seq bigint NOT NULL DEFAULT 0,
  -- of these, what is only counted and stands in no message yet, by verdict
  ADD COLUMN counted jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN told_failed_events bigint NOT NULL DEFAULT 0,
  -- the last digest with groups
  ADD COLUMN last_news_at timestamptz,
  -- the last digest that only counts, and when it was written; no id from the next digest with groups on
  ADD COLUMN counting_digest_id text,
  ADD COLUMN counting_since timestamptz,
  -- what had been counted when the last daily summary was written: the next one tells the difference
  ADD COLUMN summed_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN summed_events bigint NOT NULL DEFAULT 0,
  ADD COLUMN summed_unreadable bigint NOT NULL DEFAULT 0,
  ADD COLUMN summed_failed_events bigint NOT NULL DEFAULT 0;
UPDATE positions p SET scanned_seq = p.told_seq, last_news_at = p.last_digest_at, summed_seq = p.told_seq,
  summed_events = p.told_events, summed_unreadable = p.told_unreadable;

-- an episode that a watch is to be told of later: it is muted, quiet, had its digest just now, or its message is gone
CREATE TABLE held_back (
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  span_id bigint NOT NULL REFERENCES spans (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  -- quiet, mute, pace or gone
  why text NOT NULL,
  PRIMARY KEY (watch_id, span_id)
);

CREATE TABLE mutes (
  id text PRIMARY KEY,
  watch_id text NOT NULL REFERENCES watches (id) ON DELETE CASCADE,
  -- null: the whole watch
  group_key text REFERENCES groups (key) ON DELETE CASCADE,
  muted_by text NOT NULL,
  muted_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  -- failures after this one are missed
  after_seq bigint NOT NULL,
  -- who ended it before its time
  ended_by text,
  -- what was missed has been told
  settled_at timestamptz
);
CREATE INDEX mutes_unsettled ON mutes (watch_id) WHERE settled_at IS NULL;

-- A row of digests is a message to a watch: kind says which (src/domain/alerting/delivery.ts).
ALTER TABLE digests
  ADD COLUMN gap_id text REFERENCES gaps (id) ON DELETE CASCADE,
  -- instead of the watch's channel: a person's id
  ADD COLUMN recipient text,
  ADD COLUMN mention jsonb,
  -- {why, from, to}: it tells what was held back
  ADD COLUMN held_back jsonb,
  -- of a daily summary: the span of time that it is about stands in covered_from and covered_to
  ADD COLUMN details jsonb,
  -- it is to be drawn again from then on, whatever was recorded
  ADD COLUMN redraw_at timestamptz,
  -- the failures that its rows show, to edit the most changed first
  ADD COLUMN shown_failures bigint NOT NULL DEFAULT 0;
CREATE INDEX digests_to_redraw ON digests (redraw_at) WHERE redraw_at IS NOT NULL;
CREATE UNIQUE INDEX digests_of_gap ON digests (gap_id, watch_id) WHERE gap_id IS NOT NULL;

ALTER TABLE announcements
  -- new, back, goes-on, grown or missed
  ADD COLUMN reason text NOT NULL DEFAULT 'new',
  -- how many the episode had then; null where the version before told it
  ADD COLUMN told_failures bigint,
  ADD COLUMN told_at timestamptz,
  -- how many failures a mute had kept from the watch
  ADD COLUMN missed bigint;
UPDATE announcements a SET told_at = d.created_at, told_failures = s.failures
  FROM digests d, spans s WHERE d.id = a.digest_id AND s.id = a.span_id;

-- when messages were edited within the last minute, over all replicas
CREATE TABLE edits (
  begun_at timestamptz NOT NULL
);

-- Slack asked to wait: 'edits', or the channel or person to whom nothing is posted before
CREATE TABLE slack_pauses (
  subject text PRIMARY KEY,
  until timestamptz NOT NULL
);

-- what people set for a channel
CREATE TABLE channel_settings (
  channel text PRIMARY KEY,
  time_zone text
);
`;
