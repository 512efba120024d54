import { z } from 'zod';

/**
 * What the form keeps between its steps, in its private metadata: nothing that was typed in a field. Those values live in the modal
 * alone, whose steps have the same fields.
 */
export interface KeptForm {
  /** Made when the form was opened, and again after an attempt that changed nothing: however often it is submitted, it is sent once. */
  readonly intent: string;
  /** Where the form was asked for, and can be answered for half an hour; null where no channel was. */
  readonly answerUrl: string | null;
  readonly channel: string | null;
  readonly environment: string;
  readonly subscriberId: string;
}

/** What was chosen in the first step and stays from there on. */
export interface ChosenForm extends KeptForm {
  readonly provider: string;
  readonly integration: string | null;
  /** The lines, with values masked, that the person is asked to confirm. */
  readonly shown: string;
}

const Kept = z.object({
  intent: z.string(),
  answerUrl: z.string().nullable(),
  channel: z.string().nullable(),
  environment: z.string(),
  subscriberId: z.string(),
});

const Chosen = Kept.extend({ provider: z.string(), integration: z.string().nullable(), shown: z.string() });

/** Only what the steps know of is written: whatever else the value has stays out. */
export function writeKept(form: KeptForm): string {
  return JSON.stringify(Kept.parse(form));
}

export function writeChosen(form: ChosenForm): string {
  return JSON.stringify(Chosen.parse(form));
}

/** What `writeKept` wrote, or null: a form of an older version. */
export function parseKept(privateMetadata: string): KeptForm | null {
  return Kept.safeParse(parsed(privateMetadata)).data ?? null;
}

/** What `writeChosen` wrote, or null. */
export function parseChosen(privateMetadata: string): ChosenForm | null {
  return Chosen.safeParse(parsed(privateMetadata)).data ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not one of ours: the schemas refuse it.
    return null;
  }
}
