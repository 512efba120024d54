import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { boundedId, stored } from '../lib/text/shown-id.ts';
import type { Db } from './db.ts';
import { getValue, putValue } from './kv.ts';

/** Texts from outside that a noun has stored, and masks again when this version masks more than the one that stored them. */
export interface StoredTexts {
  name: string;
  /** Masks some rows below an ID, the newest first, or from the newest on. Returns the last one's ID: null at the end. */
  maskBelow(db: Db, id: string | null): Promise<string | null>;
}

/** Grows when stored texts have to be masked again. */
const RULES = 2;

const PROGRESS = 'masked-texts';
export const MaskedTexts = z.object({
  rules: z.number(),
  /** The names of texts that are masked. */
  done: z.array(z.string()),
  /** The ID below which the next name's rows are left. */
  below: z.string().nullable(),
});

type Noted = z.output<typeof MaskedTexts>;

/** Goes on where it was cut off. Returns whether all are masked. */
export async function maskStoredTexts(db: Db, all: readonly StoredTexts[], isOver: () => boolean): Promise<boolean> {
  const noted = await getValue(db, PROGRESS, MaskedTexts);
  let { done, below }: Omit<Noted, 'rules'> = noted?.rules === RULES ? noted : { done: [], below: null };
  for (const { name, maskBelow } of all.filter((texts) => !done.includes(texts.name))) {
    do {
      if (isOver()) return false;
      await setImmediate();
      below = await maskBelow(db, below);
      if (below === null) done = [...done, name];
      const progress = { rules: RULES, done: done.map(boundedId), below: below && boundedId(below) };
      await putValue(db, PROGRESS, { Value: MaskedTexts, value: stored(progress) });
    } while (below !== null);
  }
  return true;
}
