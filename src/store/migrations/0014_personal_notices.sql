UPDATE "messages" SET "kind" = 'personal', "content" = ("content" - 'told') || jsonb_build_object('what', "content" -> 'told') WHERE "kind" = 'told';--> statement-breakpoint
UPDATE "alerts" SET "reason" = 'personal' WHERE "reason" = 'told';
