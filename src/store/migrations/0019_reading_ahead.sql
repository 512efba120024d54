ALTER TABLE "environments" ADD COLUMN "read_ahead" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "past_failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "lag_ms" bigint;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "lag_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "too_slow_since" timestamp with time zone;