import { z } from 'zod';

/** What a form for sending keeps between its opening and its submission, in its private metadata. */
export interface FormIntent {
  /** Made when the form was opened: however often it is submitted, it is sent once. */
  readonly intent: string;
  /** Where the form was asked for, and can be answered for half an hour; null where no channel was. */
  readonly answerUrl: string | null;
}

const Metadata = z.object({ intent: z.string(), answerUrl: z.string().nullable() });

export function writeIntent({ intent, answerUrl }: FormIntent): string {
  return JSON.stringify({ intent, answerUrl });
}

/** Throws where the metadata is not what `writeIntent` wrote: the form is not one of this version. */
export function readIntent(privateMetadata: string): FormIntent {
  return Metadata.parse(JSON.parse(privateMetadata));
}
