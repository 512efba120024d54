import { type Inserted, mrkdwn } from './text.ts';

/** Returns the first parts of a list and, if it has others, 'N more'. */
export function firstOf(parts: readonly Inserted[], most: number): readonly Inserted[] {
  const left = parts.length - most;
  return left > 0 ? [...parts.slice(0, most), mrkdwn`${left} more`] : parts;
}
