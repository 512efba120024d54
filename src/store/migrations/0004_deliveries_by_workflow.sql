ALTER TABLE "success_counts" DROP CONSTRAINT "success_counts_environment_channel_provider_minute_workflow_created_pk";--> statement-breakpoint
ALTER TABLE "success_counts" ADD CONSTRAINT "success_counts_environment_channel_provider_workflow_minute_created_pk" PRIMARY KEY("environment","channel","provider","workflow","minute","created");--> statement-breakpoint
ALTER TABLE "environments" DROP COLUMN "newest_event_at";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "assigned_by";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "assigned_at";--> statement-breakpoint
ALTER TABLE "mutes" DROP COLUMN "ended_by";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "changed_by";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "ended_by";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "ended_why";