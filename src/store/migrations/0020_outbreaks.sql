CREATE TABLE "alert_cursors" (
	"watch_id" text NOT NULL,
	"environment" text NOT NULL,
	"version" bigint NOT NULL,
	"settings" jsonb NOT NULL,
	"channel" text NOT NULL,
	"last_posted_at" timestamp with time zone,
	"last_notified_at" timestamp with time zone,
	CONSTRAINT "alert_cursors_watch_id_environment_pk" PRIMARY KEY("watch_id","environment")
);--> statement-breakpoint
CREATE TABLE "timeline_cursors" (
	"environment" text PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"entry_id" bigint NOT NULL
);--> statement-breakpoint
CREATE TABLE "watch_alerts" (
	"watch_id" text NOT NULL,
	"incident_id" bigint NOT NULL,
	"environment" text NOT NULL,
	"outbreak" integer DEFAULT 0 NOT NULL,
	"badness" text,
	"critical" boolean DEFAULT false NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"failures_in_line" bigint DEFAULT 0 NOT NULL,
	"line_at" timestamp with time zone,
	"is_single" boolean DEFAULT false NOT NULL,
	"entry_id" bigint DEFAULT 0 NOT NULL,
	"message_id" text,
	"is_message_gone" boolean DEFAULT false NOT NULL,
	"posted_at" timestamp with time zone,
	"rang_at" timestamp with time zone,
	"escalated_at" timestamp with time zone,
	"below_many_since" timestamp with time zone,
	"owed_since" timestamp with time zone,
	"held_by" text,
	"due_at" timestamp with time zone,
	CONSTRAINT "watch_alerts_watch_id_incident_id_pk" PRIMARY KEY("watch_id","incident_id")
);--> statement-breakpoint
CREATE TABLE "followers" (
	"incident_id" bigint NOT NULL,
	"person" text NOT NULL,
	"channel" text,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "followers_incident_id_person_pk" PRIMARY KEY("incident_id","person")
);--> statement-breakpoint
CREATE TABLE "outbreak_workflows" (
	"incident_id" bigint NOT NULL,
	"outbreak" integer NOT NULL,
	"workflow" text NOT NULL,
	"workflow_name" text,
	"failures" bigint NOT NULL,
	"critical" boolean NOT NULL,
	"last_failed_at" timestamp with time zone NOT NULL,
	"successes_needed" bigint,
	CONSTRAINT "outbreak_workflows_incident_id_outbreak_workflow_pk" PRIMARY KEY("incident_id","outbreak","workflow")
);--> statement-breakpoint
CREATE TABLE "outbreaks" (
	"incident_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"environment" text NOT NULL,
	"covers_from" timestamp with time zone,
	"covers_to" timestamp with time zone,
	"began_at" timestamp with time zone NOT NULL,
	"first_failed_at" timestamp with time zone NOT NULL,
	"last_failed_at" timestamp with time zone NOT NULL,
	"fires_since" timestamp with time zone NOT NULL,
	"is_published" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_at_service" timestamp with time zone,
	"ending" text,
	"ended_by" text,
	"failures" bigint DEFAULT 0 NOT NULL,
	"subscribers" bigint DEFAULT 0 NOT NULL,
	"is_at_least" boolean DEFAULT false NOT NULL,
	"failures_at_end" bigint,
	"verdicts" text[] DEFAULT '{}' NOT NULL,
	"severities" text[] DEFAULT '{}' NOT NULL,
	"critical_since" timestamp with time zone,
	"acknowledged_at" timestamp with time zone,
	"acknowledged_by" text,
	"unacknowledged_since" timestamp with time zone,
	"badness" text DEFAULT 'one' NOT NULL,
	"worst" text DEFAULT 'one' NOT NULL,
	"shared" jsonb,
	"gap_id" text,
	"is_caught_up" boolean DEFAULT false NOT NULL,
	"changes_to" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "outbreaks_incident_id_number_pk" PRIMARY KEY("incident_id","number")
);--> statement-breakpoint
CREATE TABLE "wordings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wordings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident_id" bigint NOT NULL,
	"key" text NOT NULL,
	"cause_text" text NOT NULL,
	"cause_key" text NOT NULL,
	"headline" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "wordings_of_incident" UNIQUE("incident_id","key")
);--> statement-breakpoint
CREATE TABLE "message_subjects" (
	"message_id" text NOT NULL,
	"subject" text NOT NULL,
	"says" jsonb NOT NULL,
	CONSTRAINT "message_subjects_message_id_subject_pk" PRIMARY KEY("message_id","subject")
);--> statement-breakpoint
CREATE TABLE "slack_messages" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"owner" text,
	"subject" text DEFAULT gen_random_uuid()::text NOT NULL,
	"order_group" text,
	"thread_of" text,
	"is_thread_closed" boolean DEFAULT false NOT NULL,
	"environment" text DEFAULT '' NOT NULL,
	"initiator" jsonb,
	"content" jsonb DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"is_urgent" boolean DEFAULT false NOT NULL,
	"begun_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"unresolved_since" timestamp with time zone,
	"last_refusal" text,
	"posted_at" timestamp with time zone,
	"ts" text,
	"shown_hash" text,
	"drawn_at" timestamp with time zone,
	"is_left" boolean DEFAULT false NOT NULL,
	CONSTRAINT "slack_messages_once" UNIQUE("owner","kind","subject")
);--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "outbreak" integer;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "former_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "failures" ADD COLUMN "wording_id" bigint;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "kind" text DEFAULT 'failures' NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "outbreak" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "continued_as" bigint;--> statement-breakpoint
ALTER TABLE "mutes" ADD COLUMN "outbreak" integer;--> statement-breakpoint
ALTER TABLE "alert_cursors" ADD CONSTRAINT "alert_cursors_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_alerts" ADD CONSTRAINT "watch_alerts_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_alerts" ADD CONSTRAINT "watch_alerts_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "followers" ADD CONSTRAINT "followers_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbreak_workflows" ADD CONSTRAINT "outbreak_workflows_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbreaks" ADD CONSTRAINT "outbreaks_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordings" ADD CONSTRAINT "wordings_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_subjects" ADD CONSTRAINT "message_subjects_message_id_slack_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."slack_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watch_alerts_of_incident" ON "watch_alerts" USING btree ("incident_id");--> statement-breakpoint
CREATE INDEX "watch_alerts_of_message" ON "watch_alerts" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "watch_alerts_due" ON "watch_alerts" USING btree ("watch_id","environment") WHERE owed_since IS NOT NULL OR due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "outbreaks_by_beginning" ON "outbreaks" USING btree ("environment","began_at");--> statement-breakpoint
CREATE INDEX "outbreaks_unpublished" ON "outbreaks" USING btree ("environment") WHERE NOT is_published;--> statement-breakpoint
CREATE INDEX "outbreaks_with_gap" ON "outbreaks" USING btree ("environment") WHERE gap_id IS NOT NULL AND NOT is_caught_up;--> statement-breakpoint
CREATE INDEX "outbreaks_counted_late" ON "outbreaks" USING btree ("environment") WHERE failures_at_end <> failures;--> statement-breakpoint
CREATE INDEX "wordings_of_key" ON "wordings" USING btree ("key");--> statement-breakpoint
CREATE INDEX "message_subjects_by_subject" ON "message_subjects" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "slack_messages_to_post" ON "slack_messages" USING btree ("created_at") WHERE state IN ('waiting', 'posting');--> statement-breakpoint
CREATE INDEX "slack_messages_to_edit" ON "slack_messages" USING btree ("next_at") WHERE state = 'posted' AND NOT is_left AND (next_at IS NOT NULL OR leased_until IS NOT NULL);--> statement-breakpoint
CREATE INDEX "slack_messages_in_group" ON "slack_messages" USING btree ("order_group") WHERE state IN ('waiting', 'posting');--> statement-breakpoint
CREATE INDEX "slack_messages_in_thread" ON "slack_messages" USING btree ("thread_of") WHERE thread_of IS NOT NULL;--> statement-breakpoint
CREATE INDEX "slack_messages_by_age" ON "slack_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incidents_by_version" ON "incidents" USING btree ("environment","version");--> statement-breakpoint
ALTER TABLE "incidents" ALTER COLUMN "started_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ALTER COLUMN "tells_from" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ADD COLUMN "edited_at" timestamp with time zone;--> statement-breakpoint
UPDATE incidents i
SET
  kind = CASE WHEN i.gap_id IS NULL THEN 'failures' ELSE 'unreadable' END,
  outbreak = i.relapses + 1,
  version = coalesce((SELECT e.version FROM (SELECT environment, news AS version FROM environments) e WHERE e.environment = i.environment), 0);--> statement-breakpoint
INSERT INTO outbreaks (
  incident_id, number, environment, covers_from, began_at, first_failed_at, last_failed_at, fires_since, is_published, ended_at, ended_at_service, ending,
  ended_by, failures, subscribers, failures_at_end, verdicts, severities, critical_since, acknowledged_at, acknowledged_by, unacknowledged_since,
  badness, worst, shared, gap_id, is_caught_up, changes_to)
SELECT
  i.id, i.relapses + 1, i.environment, CASE WHEN i.relapses > 0 THEN i.started_at END, i.started_at, i.started_at, i.last_at, i.started_at, true,
  CASE WHEN i.state = 'resolved' THEN i.state_at END,
  CASE WHEN i.state = 'resolved' THEN i.state_at - GREATEST(0, -coalesce(e.clock_ahead_ms, 0)) * interval '1 millisecond' END,
  CASE WHEN i.state <> 'resolved' THEN NULL WHEN i.resolved_by IS NULL THEN 'recovered' ELSE 'resolved' END,
  i.resolved_by, i.failures, i.subscribers, CASE WHEN i.state = 'resolved' THEN i.failures END, i.verdicts, i.severities,
  CASE WHEN i.critical THEN LEAST(i.state_at, i.last_recorded_at) END, i.acknowledged_at, i.acknowledged_by,
  CASE WHEN i.acknowledged_by IS NULL THEN i.state_at END,
  'every', 'every', i.shared, i.gap_id, true, coalesce((SELECT max(id) FROM changes), 0)
FROM incidents i
LEFT JOIN environments e ON e.environment = i.environment;--> statement-breakpoint
INSERT INTO outbreaks (
  incident_id, number, environment, covers_to, began_at, first_failed_at, last_failed_at, fires_since, is_published, ended_at, ended_at_service, ending,
  failures, is_at_least, failures_at_end, verdicts, severities, badness, worst, is_caught_up)
SELECT
  i.id, i.relapses, i.environment, i.started_at, i.first_at, i.first_at, before.at, i.first_at, true, before.at, before.at, 'recovered',
  before.failures, true, before.failures, i.verdicts, i.severities, 'every', 'every', true
FROM incidents i
CROSS JOIN LATERAL (
  SELECT
    coalesce(
      (SELECT f.occurred_at FROM failures f WHERE f.incident_id = i.id AND f.seq <= i.started_seq ORDER BY f.seq DESC LIMIT 1),
      i.first_at) AS at,
    CASE WHEN i.gap_id IS NULL THEN GREATEST(0, i.recorded - i.failures) ELSE 1 END AS failures
) before
WHERE i.relapses > 0;--> statement-breakpoint
INSERT INTO outbreak_workflows (incident_id, outbreak, workflow, workflow_name, failures, critical, last_failed_at)
SELECT w.incident_id, i.outbreak, w.workflow, w.workflow_name, w.failures, w.critical, i.last_at
FROM incident_workflows w
JOIN incidents i ON i.id = w.incident_id;--> statement-breakpoint
INSERT INTO wordings (incident_id, key, cause_text, cause_key, headline, at)
SELECT id, key, cause_text, cause_key, headline, first_at FROM incidents ORDER BY id;--> statement-breakpoint
DELETE FROM audit copied
USING audit original, incidents i
WHERE copied.change ->> 'action' IN ('noted', 'followed', 'unfollowed')
  AND original.id < copied.id
  AND original.at = copied.at
  AND original.actor = copied.actor
  AND original.incident_id <> copied.incident_id
  AND original.change ->> 'action' = copied.change ->> 'action'
  AND original.change ->> 'text' IS NOT DISTINCT FROM copied.change ->> 'text'
  AND i.id = copied.incident_id
  AND copied.at < i.first_at
  AND copied.change ->> 'action' = 'noted';--> statement-breakpoint
INSERT INTO followers (incident_id, person, channel, since)
SELECT newest.incident_id, newest.actor, newest.channel, newest.at
FROM (
  SELECT DISTINCT ON (a.incident_id, coalesce(p.person, a.actor)) a.incident_id, a.actor, a.channel, a.at, a.change ->> 'action' AS action
  FROM audit a
  JOIN incidents i ON i.id = a.incident_id
  LEFT JOIN person_ids p ON p.id = a.actor
  WHERE a.change ->> 'action' IN ('followed', 'unfollowed')
  ORDER BY a.incident_id, coalesce(p.person, a.actor), a.id DESC
) newest
WHERE newest.action = 'followed';--> statement-breakpoint
UPDATE mutes m SET outbreak = i.outbreak FROM incidents i WHERE i.id = m.incident_id;--> statement-breakpoint
INSERT INTO slack_messages (
  id, kind, channel, owner, subject, order_group, thread_of, environment, initiator, content, created_at, state, attempt, next_at, is_urgent, begun_at,
  leased_until, unresolved_since, last_refusal, posted_at, ts, shown_hash, drawn_at, is_left)
SELECT
  m.id,
  CASE m.kind WHEN 'thread' THEN 'line' ELSE m.kind END,
  coalesce(m.recipient, w.channel),
  CASE m.kind
    WHEN 'thread' THEN m.thread_of
    WHEN 'sending' THEN 'sending ' || m.subject
    WHEN 'personal' THEN m.recipient || coalesce(' incident ' || (SELECT min(a.incident_id) FROM alerts a WHERE a.message_id = m.id), '')
    ELSE m.watch_id
  END,
  CASE WHEN m.kind IN ('sending', 'personal') THEN m.id ELSE m.subject END,
  CASE m.kind WHEN 'digest' THEN m.watch_id || ' ' || m.environment END,
  m.thread_of,
  m.environment,
  m.owner,
  CASE m.kind
    WHEN 'thread' THEN coalesce(line.content, m.content)
    WHEN 'personal' THEN jsonb_build_object(
      'news', m.content,
      'at', m.created_at,
      'incidentId', (SELECT min(a.incident_id) FROM alerts a WHERE a.message_id = m.id),
      'outbreak', coalesce((SELECT max(a.relapses) + 1 FROM alerts a WHERE a.message_id = m.id), 1))
    WHEN 'watch-ended' THEN m.content || jsonb_build_object('watchId', m.watch_id)
    ELSE m.content
  END,
  m.created_at,
  CASE
    WHEN m.kind = 'silence' AND m.state = 'waiting' THEN 'gone'
    WHEN m.kind = 'thread' AND m.state IN ('waiting', 'posting') AND line.content IS NULL THEN 'gone'
    ELSE m.state
  END,
  m.attempt, m.next_at, m.next_at IS NOT NULL, m.begun_at, m.leased_until, m.unresolved_since, m.last_refusal, m.posted_at, m.ts, m.shown_hash, m.drawn_at,
  m.is_frozen OR m.kind IN ('thread', 'silence') OR (w.ended_at IS NOT NULL AND m.kind <> 'watch-ended')
FROM messages m
LEFT JOIN watches w ON w.id = m.watch_id
LEFT JOIN LATERAL (
  SELECT CASE
    WHEN m.content #>> '{event,what}' IN ('escalated', 'grown') THEN jsonb_build_object(
      'is', m.content #>> '{event,what}',
      'watchId', m.watch_id,
      'incidentId', m.content #> '{incidents,0}',
      'at', m.content #>> '{event,at}')
    ELSE (
      SELECT jsonb_build_object('is', 'entry', 'watchId', m.watch_id, 'entries', jsonb_agg(a.id ORDER BY a.id))
      FROM audit a
      WHERE m.content -> 'incidents' @> to_jsonb(a.incident_id)
        AND a.at = CASE WHEN m.content #>> '{event,at}' ~ '^\d{4}-\d\d-\d\d[T ]' THEN (m.content #>> '{event,at}')::timestamptz END
        AND a.actor = m.content #>> '{event,actor}'
      HAVING count(*) > 0
    )
  END AS content
) line ON m.kind = 'thread'
WHERE coalesce(m.recipient, w.channel) IS NOT NULL;--> statement-breakpoint
INSERT INTO message_subjects (message_id, subject, says)
SELECT
  a.message_id,
  'incident ' || a.incident_id,
  CASE WHEN m.kind <> 'digest' THEN '{}'::jsonb ELSE jsonb_build_object(
    'reason', CASE a.reason WHEN 'relapsed' THEN 'back' WHEN 'flared' THEN 'again' ELSE a.reason END,
    'outbreak', a.relapses + 1,
    'badness', NULL,
    'critical', a.critical,
    'failures', a.matched,
    'entryId', coalesce((SELECT max(id) FROM audit), 0),
    'rings', false,
    'mentions', coalesce(m.content -> 'mention' <> 'null'::jsonb, false),
    'missed', a.missed,
    'broke', NULL,
    'shownBadness', NULL)
  END
FROM alerts a
JOIN messages m ON m.id = a.message_id
JOIN slack_messages s ON s.id = m.id
WHERE a.reason <> 'personal' OR m.kind = 'personal';--> statement-breakpoint
INSERT INTO watch_alerts (
  watch_id, incident_id, environment, outbreak, critical, failures, is_single, entry_id, message_id, is_message_gone, posted_at, rang_at,
  escalated_at, due_at)
SELECT DISTINCT ON (w.id, a.incident_id)
  w.id, a.incident_id, i.environment, a.relapses + 1, a.critical, a.matched, a.reason = 'single', coalesce((SELECT max(id) FROM audit), 0),
  CASE WHEN a.watch_id = w.id THEN m.id END, m.state = 'gone', GREATEST(a.at, m.posted_at), CASE WHEN a.reason <> 'single' THEN GREATEST(a.at, m.posted_at) END,
  CASE WHEN a.escalated THEN a.at END, CASE WHEN i.state <> 'resolved' THEN now() END
FROM watches w
JOIN watches teller ON teller.channel = w.channel AND teller.settings -> 'mention' IS NOT DISTINCT FROM w.settings -> 'mention'
JOIN alerts a ON a.watch_id = teller.id
JOIN messages m ON m.id = a.message_id
JOIN incidents i ON i.id = a.incident_id
WHERE w.ended_at IS NULL
  AND a.reason <> 'personal'
  AND (m.state = 'posted' OR (m.state = 'gone' AND m.posted_at IS NOT NULL))
ORDER BY w.id, a.incident_id, a.watch_id = w.id DESC, a.at DESC;--> statement-breakpoint
INSERT INTO watch_alerts (watch_id, incident_id, environment, owed_since)
SELECT w.id, i.id, i.environment, min(owed.at)
FROM (
  SELECT a.watch_id, a.incident_id, a.at
  FROM alerts a
  JOIN messages m ON m.id = a.message_id
  WHERE m.state IN ('waiting', 'posting')
    AND m.kind = 'digest'
  UNION ALL
  SELECT w.id, held.id, w.tells_from
  FROM watches w
  CROSS JOIN LATERAL (
    SELECT CASE WHEN value ~ '^\d{1,18}$' THEN value::bigint END AS id
    FROM jsonb_array_elements_text(CASE jsonb_typeof(w.held) WHEN 'array' THEN w.held ELSE '[]' END)
  ) held
  WHERE NOT EXISTS (
    SELECT FROM alerts a WHERE a.watch_id = w.id AND a.incident_id = held.id AND a.at >= w.tells_from)
) owed
JOIN watches w ON w.id = owed.watch_id AND w.ended_at IS NULL
JOIN incidents i ON i.id = owed.incident_id
GROUP BY w.id, i.id, i.environment
ON CONFLICT (watch_id, incident_id) DO UPDATE SET owed_since = EXCLUDED.owed_since;--> statement-breakpoint
INSERT INTO watch_alerts (watch_id, incident_id, environment, due_at)
SELECT w.id, i.id, i.environment, now()
FROM watches w
CROSS JOIN incidents i
WHERE w.ended_at IS NULL
  AND i.state <> 'resolved'
  AND (i.newest_seq > w.tells_after OR i.gap_id IS NOT NULL)
ON CONFLICT (watch_id, incident_id) DO NOTHING;--> statement-breakpoint
INSERT INTO alert_cursors (watch_id, environment, version, settings, channel, last_posted_at, last_notified_at)
SELECT
  w.id, e.environment, e.news, w.settings, w.channel,
  (SELECT max(m.posted_at) FROM messages m WHERE m.watch_id = w.id AND m.environment = e.environment AND m.kind = 'digest'),
  (SELECT max(m.posted_at) FROM messages m JOIN alerts a ON a.message_id = m.id
    WHERE m.watch_id = w.id AND m.environment = e.environment AND m.kind = 'digest' AND a.reason <> 'single')
FROM watches w
CROSS JOIN environments e
WHERE w.ended_at IS NULL;--> statement-breakpoint
INSERT INTO timeline_cursors (environment, version, entry_id)
SELECT environment, news, coalesce((SELECT max(id) FROM audit), 0) FROM environments;--> statement-breakpoint
WITH silent AS (
  SELECT DISTINCT ON (m.subject) m.subject, m.environment, m.content, m.created_at
  FROM messages m
  WHERE m.kind = 'silence'
    AND m.state <> 'gone'
    AND NOT m.content ? 'until'
    AND jsonb_typeof(m.content -> 'usualMs') = 'number'
    AND m.content ->> 'since' ~ '^\d{4}-\d\d-\d\d[T ]'
  ORDER BY m.subject, m.created_at
),
begun AS (
  INSERT INTO incidents (
    key, kind, environment, channel, cause_text, cause_key, announcement, is_test, is_recipients, state, state_at, last_recorded_at, first_at,
    last_at, version)
  SELECT
    concat_ws(' ', 'silence', s.environment, s.content ->> 'workflow'), 'silence', s.environment, '',
    'pauses usually end within ' || GREATEST(1, round((s.content ->> 'usualMs')::numeric / 60000)) || ' min', 'silence', 'announced', false, false,
    'firing', s.created_at, s.created_at, (s.content ->> 'since')::timestamptz, (s.content ->> 'since')::timestamptz, e.news
  FROM silent s
  JOIN environments e ON e.environment = s.environment
  RETURNING id, key, environment, first_at, state_at
),
outbreak AS (
  INSERT INTO outbreaks (
    incident_id, number, environment, began_at, first_failed_at, last_failed_at, fires_since, is_published, failures, verdicts, unacknowledged_since, badness,
    worst)
  SELECT id, 1, environment, first_at, first_at, first_at, first_at, true, 1, '{failed}', state_at, 'every', 'every' FROM begun
),
workflow AS (
  INSERT INTO outbreak_workflows (incident_id, outbreak, workflow, workflow_name, failures, critical, last_failed_at)
  SELECT b.id, 1, s.content ->> 'workflow', s.content ->> 'name', 1, false, b.first_at
  FROM begun b
  JOIN silent s ON b.key = concat_ws(' ', 'silence', s.environment, s.content ->> 'workflow')
  WHERE s.content ->> 'workflow' IS NOT NULL
)
INSERT INTO watch_alerts (watch_id, incident_id, environment, outbreak, failures, posted_at, rang_at)
SELECT DISTINCT ON (m.watch_id, b.id) m.watch_id, b.id, b.environment, 1, 1, m.posted_at, m.posted_at
FROM begun b
JOIN messages m ON b.key = concat_ws(' ', 'silence', m.environment, m.content ->> 'workflow')
JOIN watches w ON w.id = m.watch_id AND w.ended_at IS NULL
WHERE m.kind = 'silence' AND m.state = 'posted' AND NOT m.content ? 'until';--> statement-breakpoint
DROP TABLE "alerts";--> statement-breakpoint
DROP TABLE "messages";--> statement-breakpoint
DROP TABLE "incident_workflows";
