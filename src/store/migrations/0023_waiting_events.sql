CREATE TABLE "waiting_events" (
	"environment" text NOT NULL,
	"event_id" text NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "waiting_events_environment_event_id_pk" PRIMARY KEY("environment","event_id")
);
--> statement-breakpoint
CREATE INDEX "waiting_events_due" ON "waiting_events" USING btree ("environment","read_at");