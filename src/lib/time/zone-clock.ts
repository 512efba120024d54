/** Formats a moment's time in a zone (an IANA name): '14:30'. */
export function clockTime(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

export function weekdayAndDay(at: Date, timeZone: string): string {
  return formatted(at, timeZone, { weekday: 'short', day: 'numeric' });
}

function formatted(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
}
