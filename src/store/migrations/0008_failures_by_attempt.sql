ALTER TABLE "failures" ADD COLUMN "provider" text;--> statement-breakpoint
ALTER TABLE "failures" ADD COLUMN "as_of" timestamp with time zone;--> statement-breakpoint
UPDATE failures f SET as_of = f.event_created_at, provider = coalesce(n.provider, '') || CASE n.nth WHEN 1 THEN '' ELSE ' ' || n.nth END
FROM (
  SELECT o.seq, i.provider, row_number() OVER (PARTITION BY o.environment, o.event_key, o.job_id, i.provider ORDER BY o.seq) AS nth
  FROM failures o LEFT JOIN incidents i ON i.id = o.incident_id
) n WHERE n.seq = f.seq;--> statement-breakpoint
ALTER TABLE "failures" ALTER COLUMN "provider" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "failures" ALTER COLUMN "as_of" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "failures" DROP CONSTRAINT "failures_environment_event_key_job_id_detail_id_pk";--> statement-breakpoint
ALTER TABLE "failures" DROP COLUMN "detail_id";--> statement-breakpoint
ALTER TABLE "failures" ADD CONSTRAINT "failures_environment_event_key_job_id_provider_pk" PRIMARY KEY("environment","event_key","job_id","provider");
