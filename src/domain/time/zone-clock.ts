/** Formats a moment's time in a zone (an IANA name): '14:30'. */
export function clockTime(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Formats a moment in a zone as 'Sat 21'. */
export function weekdayAndDay(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric' });
}

/** Formats a moment in a zone as 'Sat 21 Nov 14:30'. */
export function dayAndTime(at: Date, timeZone: string): string {
  return `${day(at, timeZone)} ${clockTime(at, timeZone)}`;
}

/** Formats a range as 'Sat 21 Nov 14:30 – 15:30', with the day at both ends if they differ. */
export function spanOnClock({ from, to }: { readonly from: Date; readonly to: Date }, timeZone: string): string {
  const isOneDay = day(from, timeZone) === day(to, timeZone);
  return `${dayAndTime(from, timeZone)} – ${isOneDay ? clockTime(to, timeZone) : dayAndTime(to, timeZone)}`;
}

function day(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');
}

function formatted(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
}
