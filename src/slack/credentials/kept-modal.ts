import { z } from 'zod';

const Kept = z.object({
  /**
   * The idempotency key. Created when the form was opened, and again after an attempt that changed nothing, so that submitting repeatedly
   * sends it once.
   */
  intent: z.string(),
  /** Where the form was requested; it accepts answers for half an hour. Null if that wasn't a channel. */
  answerUrl: z.string().nullable(),
  channel: z.string().nullable(),
  environment: z.string(),
  subscriberId: z.string(),
});

/**
 * What the form keeps between its steps in its private metadata. It contains nothing that was typed in a field: those values stay in the
 * modal, whose steps have the same fields.
 */
export type KeptForm = Readonly<z.output<typeof Kept>>;

const Chosen = Kept.extend({
  provider: z.string(),
  integration: z.string().nullable(),
  /** The masked lines that the person is asked to confirm. */
  shown: z.string(),
});

/** What was chosen in the first step, and kept afterwards. */
export type ChosenForm = Readonly<z.output<typeof Chosen>>;

/** Encodes a form. Only known fields are written; any others are left out. */
export function writeKept(form: KeptForm): string {
  return JSON.stringify(Kept.parse(form));
}

export function writeChosen(form: ChosenForm): string {
  return JSON.stringify(Chosen.parse(form));
}

/** Parses a value of `writeKept`. Null for a form of an older version. */
export function parseKept(privateMetadata: string): KeptForm | null {
  return Kept.safeParse(parsed(privateMetadata)).data ?? null;
}

/** Parses a value of `writeChosen`. Null for anything else. */
export function parseChosen(privateMetadata: string): ChosenForm | null {
  return Chosen.safeParse(parsed(privateMetadata)).data ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by Notif: the schemas reject it.
    return null;
  }
}
