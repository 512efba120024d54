export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const minuteOf = (time: Date): Date => new Date(Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS);

const UNITS = new Map(Object.entries({ s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS }));

export function parseDuration(text: string): number | null {
  if (!/^(?:\d{1,6}\s?(?:min|[smhdw])\s?)+$/i.test(text)) return null;
  const amounts = [...text.toLowerCase().matchAll(/(\d+)\s?(\w)/g)];
  return amounts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS.get(unit) ?? 0), 0);
}

export function describeDuration(ms: number): string {
  const named = [[DAY_MS, 'd'] as const, [HOUR_MS, 'h'] as const, [MINUTE_MS, 'min'] as const];
  const whole = Math.round(Math.max(0, ms) / SECOND_MS) * SECOND_MS;
  const [size, name] = named.find(([unitMs]) => whole >= 2 * unitMs || whole === unitMs) ?? [SECOND_MS, 's'];
  return `${Math.round(whole / size)} ${name}`;
}
