CREATE TABLE "alerts" (
	"message_id" text NOT NULL,
	"incident_id" bigint NOT NULL,
	"watch_id" text,
	"reason" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"recorded" bigint NOT NULL,
	"seq" bigint NOT NULL,
	"matched" bigint NOT NULL,
	"relapses" integer NOT NULL,
	"critical" boolean NOT NULL,
	"missed" bigint,
	CONSTRAINT "alerts_message_id_incident_id_pk" PRIMARY KEY("message_id","incident_id")
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"channel" text,
	"environment" text,
	"incident_id" bigint,
	"change" jsonb NOT NULL,
	"outcome" jsonb NOT NULL,
	"intent_id" text,
	CONSTRAINT "audit_intentId_unique" UNIQUE("intent_id")
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"environment" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"not_before" timestamp with time zone,
	"what" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "environments" (
	"environment" text PRIMARY KEY NOT NULL,
	"covered_from" timestamp with time zone NOT NULL,
	"checked_to" timestamp with time zone NOT NULL,
	"read_to" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"newest_event_at" timestamp with time zone,
	"last_poll_at" timestamp with time zone,
	"last_success_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"problem" jsonb,
	"announced_at" timestamp with time zone,
	"news" bigint DEFAULT 0 NOT NULL,
	"announced_news" bigint DEFAULT 0 NOT NULL,
	"behind_ms" bigint DEFAULT 0 NOT NULL,
	"clock_ahead_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "event_counts" (
	"environment" text NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"workflow" text NOT NULL,
	"events" integer NOT NULL,
	"unreadable" integer NOT NULL,
	CONSTRAINT "event_counts_environment_workflow_minute_pk" PRIMARY KEY("environment","workflow","minute")
);
--> statement-breakpoint
CREATE TABLE "failures" (
	"environment" text NOT NULL,
	"event_key" text NOT NULL,
	"job_id" text NOT NULL,
	"detail_id" text NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "failures_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident_id" bigint NOT NULL,
	"workflow" text,
	"workflow_name" text,
	"verdict" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"event_created_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL,
	"event_id" text,
	"transaction_id" text NOT NULL,
	"subscriber_id" text,
	"severity" text,
	"critical" boolean NOT NULL,
	"topics" text[] DEFAULT '{}' NOT NULL,
	"contexts" text[] DEFAULT '{}' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "failures_environment_event_key_job_id_detail_id_pk" PRIMARY KEY("environment","event_key","job_id","detail_id"),
	CONSTRAINT "failures_seq_unique" UNIQUE("seq")
);
--> statement-breakpoint
CREATE TABLE "gaps" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"environment" text NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"cause" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"unchecked" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"events" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incident_workflows" (
	"incident_id" bigint NOT NULL,
	"workflow" text NOT NULL,
	"workflow_name" text,
	"failures" bigint NOT NULL,
	"events" bigint NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"critical" boolean NOT NULL,
	CONSTRAINT "incident_workflows_incident_id_workflow_pk" PRIMARY KEY("incident_id","workflow")
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"environment" text NOT NULL,
	"channel" text NOT NULL,
	"provider" text,
	"cause_text" text NOT NULL,
	"cause_key" text NOT NULL,
	"announcement" text NOT NULL,
	"is_test" boolean NOT NULL,
	"is_recipients" boolean NOT NULL,
	"state" text NOT NULL,
	"state_at" timestamp with time zone NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"last_recorded_at" timestamp with time zone NOT NULL,
	"recorded" bigint DEFAULT 0 NOT NULL,
	"newest_seq" bigint DEFAULT 0 NOT NULL,
	"started_seq" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"events" bigint DEFAULT 0 NOT NULL,
	"subscribers" bigint DEFAULT 0 NOT NULL,
	"verdicts" text[] DEFAULT '{}' NOT NULL,
	"severities" text[] DEFAULT '{}' NOT NULL,
	"critical" boolean DEFAULT false NOT NULL,
	"relapses" integer DEFAULT 0 NOT NULL,
	"acknowledged_by" text,
	"acknowledged_at" timestamp with time zone,
	"assigned_to" text,
	"assigned_by" text,
	"assigned_at" timestamp with time zone,
	"resolved_by" text
);
--> statement-breakpoint
CREATE TABLE "kv" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"watch_id" text,
	"recipient" text,
	"kind" text NOT NULL,
	"subject" text DEFAULT gen_random_uuid()::text NOT NULL,
	"environment" text DEFAULT '' NOT NULL,
	"thread_of" text,
	"content" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"begun_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"unresolved_since" timestamp with time zone,
	"last_refusal" text,
	"posted_at" timestamp with time zone,
	"ts" text,
	"shown_hash" text,
	"drawn_at" timestamp with time zone,
	"is_frozen" boolean DEFAULT false NOT NULL,
	CONSTRAINT "messages_told_once" UNIQUE("watch_id","kind","subject")
);
--> statement-breakpoint
CREATE TABLE "mutes" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"watch_id" text NOT NULL,
	"incident_id" bigint,
	"muted_by" text NOT NULL,
	"muted_at" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"ended_by" text
);
--> statement-breakpoint
CREATE TABLE "success_counts" (
	"environment" text NOT NULL,
	"workflow" text NOT NULL,
	"channel" text NOT NULL,
	"provider" text NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"successes" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "success_counts_environment_channel_provider_minute_workflow_created_pk" PRIMARY KEY("environment","channel","provider","minute","workflow","created")
);
--> statement-breakpoint
CREATE TABLE "triggers" (
	"id" text PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"actor" text NOT NULL,
	"workflow" text NOT NULL,
	"recipients" jsonb NOT NULL,
	"results" jsonb,
	"claimed_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"progress" jsonb
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL,
	"channel" text NOT NULL,
	"number" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" text,
	"is_configured" boolean DEFAULT false NOT NULL,
	"settings" jsonb NOT NULL,
	"changed_by" text,
	"tells_from" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"ended_why" text,
	"last_summary_day" text,
	"summed_to" timestamp with time zone,
	"changes_to" jsonb
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"environment" text NOT NULL,
	"identifier" text NOT NULL,
	"id" text,
	"name" text NOT NULL,
	"variables" jsonb NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "workflows_environment_identifier_pk" PRIMARY KEY("environment","identifier")
);
--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_workflows" ADD CONSTRAINT "incident_workflows_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_watch_id_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_incident_id_incidents_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alerts_of_incident" ON "alerts" USING btree ("incident_id","watch_id","at");--> statement-breakpoint
CREATE INDEX "alerts_of_watch" ON "alerts" USING btree ("watch_id","at");--> statement-breakpoint
CREATE INDEX "audit_by_time" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_of_incident" ON "audit" USING btree ("incident_id") WHERE incident_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "changes_by_time" ON "changes" USING btree ("environment","at");--> statement-breakpoint
CREATE INDEX "event_counts_by_minute" ON "event_counts" USING btree ("environment","minute");--> statement-breakpoint
CREATE INDEX "failures_by_time" ON "failures" USING btree ("environment","occurred_at");--> statement-breakpoint
CREATE INDEX "failures_by_recording" ON "failures" USING btree ("environment","recorded_at");--> statement-breakpoint
CREATE INDEX "failures_by_age" ON "failures" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "failures_of_incident" ON "failures" USING btree ("incident_id","seq");--> statement-breakpoint
CREATE INDEX "failures_of_incident_by_time" ON "failures" USING btree ("incident_id","occurred_at");--> statement-breakpoint
CREATE INDEX "failures_of_incident_by_subscriber" ON "failures" USING btree ("incident_id","subscriber_id","seq");--> statement-breakpoint
CREATE INDEX "gaps_open" ON "gaps" USING btree ("environment") WHERE closed_at IS NULL;--> statement-breakpoint
CREATE INDEX "gaps_by_time" ON "gaps" USING btree ("environment","begins_at");--> statement-breakpoint
CREATE INDEX "incidents_of_key" ON "incidents" USING btree ("key","id");--> statement-breakpoint
CREATE INDEX "incidents_by_recording" ON "incidents" USING btree ("environment","last_recorded_at");--> statement-breakpoint
CREATE INDEX "incidents_open" ON "incidents" USING btree ("environment") WHERE state <> 'resolved';--> statement-breakpoint
CREATE INDEX "messages_to_post" ON "messages" USING btree ("created_at") WHERE state IN ('waiting', 'posting');--> statement-breakpoint
CREATE INDEX "messages_to_draw" ON "messages" USING btree ("next_at") WHERE state = 'posted' AND next_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_live" ON "messages" USING btree ("posted_at") WHERE state = 'posted' AND NOT is_frozen;--> statement-breakpoint
CREATE INDEX "messages_by_age" ON "messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mutes_of_watch" ON "mutes" USING btree ("watch_id","until");--> statement-breakpoint
CREATE INDEX "success_counts_by_creation" ON "success_counts" USING btree ("environment","created");--> statement-breakpoint
CREATE INDEX "triggers_by_age" ON "triggers" USING btree ("claimed_at");--> statement-breakpoint
CREATE INDEX "watches_in_channel" ON "watches" USING btree ("channel") WHERE ended_at IS NULL;