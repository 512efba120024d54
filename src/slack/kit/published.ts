export const PUBLISHED: unique symbol = Symbol('published');

/** In a channel, `forEveryone` (for-everyone.ts) shows `published` in place of `part`, or nothing if it's null. */
export function publishedAs<Part extends object>(part: Part, published: Part | null): Part {
  return { ...part, [PUBLISHED]: published };
}

export const personal = <Part extends object>(part: Part): Part => publishedAs(part, null);

const OPERATORS: unique symbol = Symbol('operators');

/** Only operators are shown it, and nobody in a channel. */
export function forOperators<Part extends object>(part: Part): Part {
  return { ...personal(part), [OPERATORS]: true };
}

export const isForOperators = (part: object): boolean => OPERATORS in part;
