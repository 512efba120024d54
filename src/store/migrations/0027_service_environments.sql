ALTER TABLE "environments" ADD COLUMN "service_environment_id" text;
--> statement-breakpoint
UPDATE "environments" SET "service_environment_id" = (SELECT "value" ->> 'serviceEnvironmentId' FROM "kv" WHERE "key" = 'integrations:' || "environment");