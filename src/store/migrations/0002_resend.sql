ALTER TABLE "triggers" ADD COLUMN "resend" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "incident_id" bigint;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "event_key" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "triggers" ADD COLUMN "why" text;--> statement-breakpoint
CREATE INDEX "triggers_of_resend" ON "triggers" USING btree ("resend","state") WHERE resend IS NOT NULL;--> statement-breakpoint
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_sent_again_once" UNIQUE("incident_id","event_key");