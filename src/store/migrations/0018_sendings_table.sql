CREATE TABLE "sendings" (
	"id" text PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"actor" text NOT NULL,
	"channel" text,
	"incident_id" bigint,
	"choices" jsonb,
	"started_at" timestamp with time zone NOT NULL,
	"refused_in_a_row" integer DEFAULT 0 NOT NULL,
	"last_refusal" text,
	"stopped_at" timestamp with time zone,
	"stopped_by" text,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "environment" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "sent_as" text;--> statement-breakpoint
INSERT INTO sendings (
  id, environment, actor, channel, incident_id, choices, started_at, refused_in_a_row, last_refusal, stopped_at, stopped_by, ended_at
)
SELECT
  substr(key, 9),
  value ->> 'environment',
  value ->> 'actor',
  value ->> 'channel',
  (value ->> 'incidentId')::bigint,
  NULLIF(value -> 'choices', 'null'),
  (value ->> 'startedAt')::timestamptz,
  coalesce((value ->> 'inARow')::integer, 0),
  value ->> 'lastRefusal',
  CASE WHEN value ->> 'stopped' IS NOT NULL THEN coalesce((value ->> 'endedAt')::timestamptz, (value ->> 'startedAt')::timestamptz) END,
  value #>> '{stopped,actor}',
  (value ->> 'endedAt')::timestamptz
FROM kv
WHERE key LIKE 'sending:%'
  AND value ->> 'environment' IS NOT NULL
  AND value ->> 'actor' IS NOT NULL
  AND value ->> 'startedAt' IS NOT NULL;--> statement-breakpoint
UPDATE triggers t SET environment = coalesce(
  (SELECT s.environment FROM sendings s WHERE s.id = t.sending),
  (SELECT i.environment FROM incidents i WHERE i.id = t.incident_id),
  (SELECT a.environment FROM audit a WHERE a.intent_id = t.sending),
  ''
);--> statement-breakpoint
-- An event that was sent again for two incidents belongs to the sending that got furthest. The other no longer sends it.
UPDATE triggers t SET
  event_key = NULL,
  state = CASE t.state WHEN 'waiting' THEN 'left-out' ELSE t.state END,
  why = CASE t.state WHEN 'waiting' THEN 'sent again for another incident' ELSE t.why END,
  closed_at = CASE t.state WHEN 'waiting' THEN coalesce(t.closed_at, now()) ELSE t.closed_at END
FROM (
  SELECT id, row_number() OVER (
    PARTITION BY environment, event_key
    ORDER BY array_position(ARRAY['left-out', 'refused', 'waiting', 'unclear', 'sending'], state) DESC NULLS FIRST, claimed_at
  ) AS nth
  FROM triggers
  WHERE event_key IS NOT NULL
) ranked
WHERE ranked.id = t.id
  AND ranked.nth > 1;--> statement-breakpoint
-- A replica of the version before names no environment: it sends nothing beside this one, and says that it failed.
ALTER TABLE "triggers" ALTER COLUMN "environment" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "sendings_open" ON "sendings" USING btree ("started_at") WHERE ended_at IS NULL;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_sent_once" UNIQUE("environment","event_key");--> statement-breakpoint
-- It can read its sendings until it has finished a batch, and begins no other: it fails on the one that it can't read.
UPDATE kv SET expires_at = now() + interval '1 hour' WHERE key LIKE 'sending:%';--> statement-breakpoint
INSERT INTO kv (key, value, expires_at)
SELECT DISTINCT 'sending:', '{}'::jsonb, now() + interval '1 hour'
FROM kv
WHERE key LIKE 'sending:%';