/** What a statement takes and PostgreSQL can't: its text has neither NUL nor half a surrogate pair, its times no six-digit years. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  return value instanceof Date ? storableTime(value) : value;
}

/** A list as one value of a statement, to be unfolded by `jsonb_to_recordset` or `jsonb_array_elements_text`. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, json) {
    const original = this[key];
    if (original instanceof Date) return storableTime(original).toISOString();
    return typeof json === 'string' ? storableText(json) : json;
  });
}

function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

const LATEST = new Date('9999-12-31T23:59:59.999Z');
const EARLIEST = new Date('0001-01-01T00:00:00.000Z');

function storableTime(time: Date): Date {
  if (time > LATEST) return LATEST;
  return time < EARLIEST ? EARLIEST : time;
}
