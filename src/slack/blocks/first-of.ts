import { type Inserted, mrkdwn } from './text.ts';

export function firstOf(parts: readonly Inserted[], most: number): readonly Inserted[] {
  const left = parts.length - most;
  return left > 0 ? [...parts.slice(0, most), mrkdwn`${left} more`] : parts;
}
