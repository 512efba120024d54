ALTER TABLE "triggers" DROP COLUMN "results";--> statement-breakpoint
ALTER TABLE "triggers" DROP COLUMN "progress";--> statement-breakpoint
UPDATE "triggers" SET "closed_at" = "claimed_at" WHERE "closed_at" IS NULL AND "resend" IS NULL;