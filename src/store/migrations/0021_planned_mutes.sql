ALTER TABLE "mutes" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "mutes" ADD COLUMN "workflow" text;--> statement-breakpoint
ALTER TABLE "mutes" ADD COLUMN "made_at" timestamp with time zone;