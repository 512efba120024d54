import { z } from 'zod';

const Intent = z
  .object({
    /** The idempotency key, created when the form was opened: submitting repeatedly sends it once. */
    intent: z.string(),
    /** Where the form was requested; it accepts answers for half an hour. Null if that wasn't a channel. */
    answerUrl: z.string().nullable(),
    /** The channel in which it was requested, for the audit trail. */
    channel: z.string().nullable().default(null),
  })
  .readonly();

/** What a form for sending keeps in its private metadata from its opening to its submission. */
export type FormIntent = z.output<typeof Intent>;

export function writeIntent({ intent, answerUrl, channel }: FormIntent): string {
  return JSON.stringify({ intent, answerUrl, channel });
}

/** Parses the metadata. Throws if `writeIntent` didn't write it: the form isn't of this version. */
export function parseIntent(privateMetadata: string): FormIntent {
  return Intent.parse(JSON.parse(privateMetadata));
}
