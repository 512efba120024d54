import type { Logger } from '../domain/logger.ts';

/** Counts a field of an operation's answer that isn't what the contract says. */
export type CountOddField = (operation: string, field: string) => void;

/**
 * Counts the fields that were read as absent because they aren't what the contract says, and logs each of them once: of a service
 * that answers so always, the number tells more than a line for every event. The schemas bound the names.
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
