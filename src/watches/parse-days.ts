const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Returns 0 for Sunday. */
export function parseWeekday(text: string): number | null {
  const day = WEEKDAYS.findIndex((name) => text.trim().toLowerCase().startsWith(name));
  return day === -1 || !/^[a-z]{3,9}$/i.test(text.trim()) ? null : day;
}

/** `sat`, `sat-sun` and `fri-mon`, in the week's order from Monday; null: some of it isn't a day. */
export function parseDays(texts: readonly string[]): readonly number[] | null {
  const days = texts.map((text) => {
    const [from = null, to = from, ...others] = text.split('-').map(parseWeekday);
    if (from === null || to === null || others.length > 0) return null;
    const length = (to - from + 7) % 7;
    return Array.from({ length: length + 1 }, (_, after) => (from + after) % 7);
  });
  if (days.includes(null)) return null;
  const all = new Set(days.flatMap((some) => some ?? []));
  return [1, 2, 3, 4, 5, 6, 0].filter((day) => all.has(day));
}

export const dayName = (day: number): string => WEEKDAYS[day] ?? '';
