import type { KeptTexts } from '../../domain/text/kept-texts.ts';

/** Keeps texts in memory until they expire. */
export function textsInMemory(): KeptTexts & { readonly kept: Map<string, { sealed: string; until: Date }> } {
  const kept = new Map<string, { sealed: string; until: Date }>();
  return {
    kept,
    keepText: async (key, sealed, until) => {
      const before = kept.get(key);
      if (before === undefined || before.until <= until) kept.set(key, { sealed, until });
    },
    keptText: async (key, now) => {
      const one = kept.get(key);
      return one === undefined || one.until <= now ? null : one.sealed;
    },
  };
}
