const CONTEXT_KEY = /^[^:\s]+:\S/;

/** Returns whether a text can be the key of a context. Contract, operations 4 and 5: `type:id`. */
export function isContextKey(text: string): boolean {
  return CONTEXT_KEY.test(text);
}
