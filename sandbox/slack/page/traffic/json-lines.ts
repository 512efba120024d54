/** One line of JSON as it is drawn: `pointer` is the place of the value that begins on it, null for a line that only closes. */
export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  readonly pointer: string | null;
}

/** Texts are shown to this length: what is over a limit is seldom worth reading to its end. */
const TEXT_LENGTH = 400;

/** A value as lines of indented JSON. */
export function jsonLines(value: unknown, pointer = '', depth = 0, name = ''): readonly JsonLine[] {
  const label = name === '' ? '' : `${JSON.stringify(name)}: `;
  if (typeof value !== 'object' || value === null) return [{ depth, text: `${label}${scalar(value)}`, pointer }];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ depth, text: `${label}${open}${close}`, pointer }];
  const inner = entries.flatMap(([key, part]) =>
    jsonLines(part, `${pointer}/${escaped(key)}`, depth + 1, Array.isArray(value) ? '' : key),
  );
  return [{ depth, text: `${label}${open}`, pointer }, ...inner, { depth, text: close, pointer: null }];
}

/** The place of a problem in what is drawn: its own, or the nearest around it, as where a field is missing. */
export function placeOf(pointer: string, lines: readonly JsonLine[]): string {
  const places = new Set(lines.map((line) => line.pointer));
  const steps = pointer.split('/');
  const nearest = steps.findLastIndex((_, index) => places.has(steps.slice(0, index + 1).join('/')));
  return steps.slice(0, nearest + 1).join('/');
}

function scalar(value: unknown): string {
  if (typeof value !== 'string' || value.length <= TEXT_LENGTH) return JSON.stringify(value) ?? 'undefined';
  return `${JSON.stringify(value.slice(0, TEXT_LENGTH))} … (${value.length.toLocaleString('en')} characters)`;
}

/** RFC 6901: `~` and `/` have other signs within a pointer. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
