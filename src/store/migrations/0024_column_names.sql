ALTER TABLE "incidents" RENAME COLUMN "announcement" TO "verdict_class";--> statement-breakpoint
ALTER TABLE "incidents" RENAME COLUMN "is_recipients" TO "is_recipient_fault";--> statement-breakpoint
ALTER TABLE "incidents" RENAME COLUMN "is_owner_unknown" TO "is_fault_unknown";--> statement-breakpoint
ALTER TABLE "environments" RENAME COLUMN "news" TO "version";--> statement-breakpoint
ALTER TABLE "environments" RENAME COLUMN "announced_news" TO "announced_version";--> statement-breakpoint
ALTER TABLE "mutes" RENAME COLUMN "muted_at" TO "begins_at";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "acknowledged_at";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "acknowledged_by";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "critical";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "failures";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "gap_id";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "newest_seq";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "recorded";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "relapses";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "resolved_by";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "severities";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "shared";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "started_at";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "started_seq";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "subscribers";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "successes_needed";--> statement-breakpoint
ALTER TABLE "incidents" DROP COLUMN "verdicts";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "held";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "tells_after";--> statement-breakpoint
ALTER TABLE "watches" DROP COLUMN "tells_from";