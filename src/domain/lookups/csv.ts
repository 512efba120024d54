/** A spreadsheet takes a field that begins so for a formula, which could fetch and send things (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One record of a CSV file by RFC 4180, its line break included; a field that a spreadsheet would calculate is made text by a `'`. */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: string | number): string {
  if (typeof field === 'number') return String(field);
  const text = FORMULA.test(field) ? `'${field}` : field;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
