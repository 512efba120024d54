import type { KeptTexts } from '../../domain/text/kept-texts.ts';

/** Texts kept in memory, for as long as they say. */
export function textsInMemory(): KeptTexts & { readonly kept: Map<string, { sealed: string; until: Date }> } {
  const kept = new Map<string, { sealed: string; until: Date }>();
  return {
    kept,
    keepText: async (key, sealed, until) => void kept.set(key, { sealed, until }),
    keptText: async (key, now) => {
      const one = kept.get(key);
      return one === undefined || one.until <= now ? null : one.sealed;
    },
    forgetText: async (key) => void kept.delete(key),
  };
}
