ALTER TABLE "alerts" ADD COLUMN "state_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "is_owner_unknown" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "successes_needed" bigint;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "drawn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ADD COLUMN "tells_after" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ADD COLUMN "held" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ADD COLUMN "refused_at" timestamp with time zone;--> statement-breakpoint
UPDATE watches SET tells_after = coalesce((SELECT max(seq) FROM failures WHERE recorded_at <= tells_from), 0);
