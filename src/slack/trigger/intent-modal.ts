import { z } from 'zod';

/** What a form for sending keeps between its opening and its submission, in its private metadata. */
export interface FormIntent {
  /** Made when the form was opened: however often it is submitted, it is sent once. */
  readonly intent: string;
  /** Where the form was asked for, and can be answered for half an hour; null where no channel was. */
  readonly answerUrl: string | null;
  /** The channel that it was asked for in, for the audit trail. */
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

/** Throws where the metadata is not what `writeIntent` wrote: the form is not one of this version. */
export function parseIntent(privateMetadata: string): FormIntent {
  return Metadata.parse(JSON.parse(privateMetadata));
}
