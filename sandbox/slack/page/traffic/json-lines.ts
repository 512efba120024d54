/** One line of drawn JSON. `pointer` is the place of the value that begins on it; null for a line that only closes. */
export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  readonly pointer: string | null;
}

/** Longer texts are cut: one that exceeds a limit is rarely worth reading to its end. */
const TEXT_LENGTH = 400;

/** Returns a value as lines of indented JSON. */
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

/** Returns the place to mark for a problem: its own, or the nearest around it, for example if a field is missing. */
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

/** Escapes `~` and `/` in a key for a pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
