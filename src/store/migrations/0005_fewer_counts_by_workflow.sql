ALTER TABLE "incident_workflows" ALTER COLUMN "events" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_workflows" ALTER COLUMN "first_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "incident_workflows" ALTER COLUMN "last_at" DROP NOT NULL;