import { min } from 'date-fns';

/**
 * Returns the time, but at most `now`: what has been seen has happened, even if the service's clock is ahead. A time range that ends now
 * includes it, and still does when requested later.
 */
export function notAfter(now: Date, time: Date): Date {
  return min([now, time]);
}
