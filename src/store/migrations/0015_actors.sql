UPDATE "messages" SET "content" = jsonb_set("content", '{event}', ("content" -> 'event') - 'by' || jsonb_build_object('actor', "content" -> 'event' -> 'by')) WHERE "content" -> 'event' ? 'by';--> statement-breakpoint
UPDATE "messages" SET "content" = "content" - 'by' || jsonb_build_object('actor', "content" -> 'by') WHERE "content" ? 'by';--> statement-breakpoint
UPDATE "changes" SET "what" = "what" - 'by' || jsonb_build_object('actor', "what" -> 'by') WHERE "what" ? 'by';--> statement-breakpoint
UPDATE "kv" SET "value" = jsonb_set("value", '{stopped}', jsonb_build_object('actor', "value" -> 'stopped' -> 'by')) WHERE "key" LIKE 'sending:%' AND "value" -> 'stopped' ? 'by';
