CREATE TABLE "person_ids" (
	"id" text PRIMARY KEY NOT NULL,
	"person" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "owner" jsonb;