ALTER TABLE "alerts" ADD COLUMN "escalated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "incidents" ADD COLUMN "gap_id" text;--> statement-breakpoint
DELETE FROM messages WHERE kind = 'gap';--> statement-breakpoint
UPDATE watches SET held = (SELECT coalesce(jsonb_agg(value), '[]') FROM jsonb_array_elements(held) WHERE jsonb_typeof(value) = 'number')
  WHERE held <> '[]';
