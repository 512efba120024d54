import { isStoreAway } from './store-away.ts';

/** Goes on after what fails, unless the store is away, and returns the errors. */
export async function inTurn<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  logFailure: (item: T, err: unknown) => void,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (err) {
      if (isStoreAway(err)) throw err;
      logFailure(item, err);
      errors.push(err);
    }
  }
  return errors;
}

/** Has one of the errors as its cause: each of them was logged where it happened. */
export function throwIfAny(errors: readonly unknown[], what: string): void {
  if (errors.length > 0) throw new Error(`${errors.length} ${what}`, { cause: errors[0] });
}
