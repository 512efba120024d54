/** How a field starts that a spreadsheet treats as a formula, which could fetch and send data (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** Returns one record of a CSV file by RFC 4180, with its line break; a `'` turns a field that a spreadsheet would calculate into text. */
export function csvLine(fields: readonly (string | number)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(field: string | number): string {
  if (typeof field === 'number') return String(field);
  const text = FORMULA.test(field) ? `'${field}` : field;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
