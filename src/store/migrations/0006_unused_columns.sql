DROP INDEX "failures_by_age";--> statement-breakpoint
DROP INDEX "messages_live";--> statement-breakpoint
DROP INDEX "messages_to_draw";--> statement-breakpoint
CREATE INDEX "messages_to_draw" ON "messages" USING btree ("next_at") WHERE state = 'posted' AND NOT is_frozen AND (next_at IS NOT NULL OR leased_until IS NOT NULL);--> statement-breakpoint
ALTER TABLE "incident_workflows" DROP COLUMN "events";--> statement-breakpoint
ALTER TABLE "incident_workflows" DROP COLUMN "first_at";--> statement-breakpoint
ALTER TABLE "incident_workflows" DROP COLUMN "last_at";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "events";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "is_configured";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "last_summary_day";