import type { Logger } from '../domain/logger.ts';

/** Counts a field of an operation's response that differs from the contract. */
export type CountOddField = (operation: string, field: string) => void;

/**
 * Counts the fields that are treated as absent because they differ from the contract, and logs each of them once: for a service that always
 * responds that way, the count says more than a line for every event. The schemas bound the number of names.
 */
export function oddFieldNotes(environment: string, logger: Logger, count: CountOddField) {
  const logged = new Set<string>();
  return (operation: string, fields: readonly string[]): void => {
    for (const field of fields) {
      count(operation, field);
      const name = `${operation} ${field}`;
      if (logged.has(name)) continue;
      logged.add(name);
      logger.warn({ environment, operation, field }, "A field isn't what the contract says, and is read as absent");
    }
  };
}
