/**
 * Incidents: the failures of one cause at one channel and provider, over all workflows. A row of `spans` is an episode of an incident from
 * here on, and has a part for each group (workflow) in it. It only adds: a replica of the version before goes on with episodes of its
 * groups, which are incidents with one part.
 */
export const INCIDENTS = `
-- what failures of one cause have in common, whatever their workflow
ALTER TABLE groups ADD COLUMN incident_key text GENERATED ALWAYS AS (substr(encode(sha256(replace(
  environment || chr(31) || channel || chr(31) || coalesce(provider, '') || chr(31) || cause_key || chr(31) || telling || chr(31) ||
  CASE WHEN is_test THEN 'test' ELSE '' END, chr(92), chr(92) || chr(92))::bytea), 'hex'), 1, 16)) STORED;
CREATE INDEX groups_of_incident ON groups (incident_key);

-- group_key is the group that the episode began with
ALTER TABLE spans
  ADD COLUMN incident_key text,
  -- firing, quiet, recovering or resolved (src/domain/incidents/incident.ts)
  ADD COLUMN state text NOT NULL DEFAULT 'firing',
  -- when it became so
  ADD COLUMN state_at timestamptz,
  -- who resolved it; null: nobody did, it recovered
  ADD COLUMN resolved_by text,
  -- the first failure since it last began to fire
  ADD COLUMN fired_at timestamptz,
  -- how often it has failed again after it had recovered or was resolved, and when it did last
  ADD COLUMN relapses integer NOT NULL DEFAULT 0,
  ADD COLUMN relapsed_at timestamptz;
UPDATE spans s SET incident_key = g.incident_key, fired_at = s.first_seen, state_at = s.last_recorded_at,
  state = CASE s.phase WHEN 'failing' THEN 'firing' WHEN 'quiet' THEN 'quiet' ELSE 'resolved' END
FROM groups g WHERE g.key = s.group_key;
CREATE INDEX spans_of_incident ON spans (incident_key, id);
-- a replica of the version before begins episodes that name none
CREATE FUNCTION name_incident() RETURNS trigger LANGUAGE plpgsql AS $name$
begin
  IF NEW.incident_key IS NULL THEN
    SELECT incident_key INTO NEW.incident_key FROM groups WHERE key = NEW.group_key;
  END IF;
  RETURN NEW;
end $name$;
CREATE TRIGGER spans_name_incident BEFORE INSERT ON spans FOR EACH ROW EXECUTE FUNCTION name_incident();
CREATE INDEX spans_open ON spans (last_recorded_at) WHERE state <> 'resolved';

-- what of an episode belongs to each of its groups; the columns mean what they mean in spans
CREATE TABLE span_groups (
  span_id bigint NOT NULL REFERENCES spans (id) ON DELETE CASCADE,
  group_key text NOT NULL REFERENCES groups (key),
  newest_seq bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  subscribers bigint NOT NULL DEFAULT 0,
  first_seen timestamptz NOT NULL DEFAULT 'infinity',
  last_seen timestamptz NOT NULL DEFAULT '-infinity',
  first_event_at timestamptz,
  last_event_at timestamptz,
  verdicts text[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  topics text[] NOT NULL DEFAULT '{}',
  critical boolean NOT NULL DEFAULT false,
  -- of the failure recorded last
  event_id text,
  transaction_id text NOT NULL DEFAULT '',
  subscriber_id text,
  PRIMARY KEY (span_id, group_key)
);
CREATE INDEX span_groups_of_group ON span_groups (group_key);
INSERT INTO span_groups (span_id, group_key, newest_seq, failures, events, subscribers, first_seen, last_seen, first_event_at,
  last_event_at, verdicts, severities, topics, critical, event_id, transaction_id, subscriber_id)
SELECT id, group_key, newest_seq, failures, events, subscribers, first_seen, last_seen, first_event_at,
  last_event_at, verdicts, severities, topics, critical, event_id, transaction_id, subscriber_id FROM spans;

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

ALTER TABLE announcements
  -- what the watch knew of the episode then
  ADD COLUMN told_relapses integer NOT NULL DEFAULT 0,
  ADD COLUMN told_critical boolean NOT NULL DEFAULT false;
UPDATE announcements a SET told_critical = s.critical FROM spans s WHERE s.id = a.span_id;
`;
