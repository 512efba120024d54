ALTER TABLE "environments" ADD COLUMN "domains" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "success_counts" ADD COLUMN "domains" jsonb;--> statement-breakpoint
ALTER TABLE "failures" ADD COLUMN "domain" text;