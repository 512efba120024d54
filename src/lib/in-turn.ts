import { isStoreAway } from './errors.ts';

/** Continues after a failure, unless the database is away, and throws at the end. */
export async function inTurn<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  logFailure: (item: T, err: unknown) => void,
): Promise<void> {
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
  throwIfAny(errors, 'failed');
}

export function throwIfAny(errors: readonly unknown[], what: string): void {
  if (errors.length > 0) throw new Error(`${errors.length} ${what}`, { cause: errors[0] });
}
