import { min } from 'date-fns';

/**
 * What has been seen has happened, whatever a service says whose clock is ahead of ours: a span that ends now holds it, and still does
 * when the same span is asked for later.
 */
export function notAfter(now: Date, time: Date): Date {
  return min([now, time]);
}
