/** '14:30', as the clocks of a zone (an IANA name) show a moment. */
export function clockTime(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** 'Sat 21' */
export function weekdayAndDay(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric' });
}

/** 'Sat 21 Nov 14:30' */
export function dayAndTime(at: Date, timeZone: string): string {
  return `${day(at, timeZone)} ${clockTime(at, timeZone)}`;
}

/** 'Sat 21 Nov 14:30 – 15:30', with the day at both ends where those are two. */
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
