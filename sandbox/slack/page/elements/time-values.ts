import { parseTime, type Time } from '@internationalized/date';

/** Converts Slack's `selected_time` ('09:30') for a field; null for anything else. */
export function readTime(value: unknown): Time | null {
  return typeof value === 'string' && /^\d{2}:\d{2}$/.test(value) ? parseTime(value) : null;
}

export function wordTime(time: Time): string {
  return time.toString().slice(0, 5);
}
