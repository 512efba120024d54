ALTER TABLE "triggers" RENAME COLUMN "resend" TO "sending";--> statement-breakpoint
ALTER INDEX "triggers_of_resend" RENAME TO "triggers_of_sending";--> statement-breakpoint
ALTER TABLE "triggers" DROP COLUMN "environment";--> statement-breakpoint
ALTER TABLE "triggers" DROP COLUMN "actor";--> statement-breakpoint
UPDATE messages SET kind = 'sending' WHERE kind = 'resend';--> statement-breakpoint
UPDATE kv SET key = 'sending:' || substr(key, 8) WHERE key LIKE 'resend:%';
