import { z } from 'zod';

/** What a form for sending keeps in its private metadata from its opening to its submission. */
export interface FormIntent {
  /** The idempotency key, created when the form was opened: submitting repeatedly sends it once. */
  readonly intent: string;
  /** Where the form was requested; it accepts answers for half an hour. Null if that wasn't a channel. */
  readonly answerUrl: string | null;
  /** The channel in which it was requested, for the audit trail. */
  readonly channel: string | null;
}

const Metadata = z.object({
  intent: z.string(),
  answerUrl: z.string().nullable(),
  channel: z.string().nullable().default(null),
});

export function writeIntent({ intent, answerUrl, channel }: FormIntent): string {
  return JSON.stringify({ intent, answerUrl, channel });
}

/** Parses the metadata. Throws if `writeIntent` didn't write it: the form isn't of this version. */
export function parseIntent(privateMetadata: string): FormIntent {
  return Metadata.parse(JSON.parse(privateMetadata));
}
