const VERSION = 'v1';

/** `v1|production|event|65f…` */
export function writeValue(parts: readonly string[]): string {
  return [VERSION, ...parts.map(encodePart)].join('|');
}

/** Null for anything that `writeValue` didn't write, including the value of an older version's button. */
export function parseValue(value: string): readonly string[] | null {
  const [version, ...parts] = value.split('|');
  if (version !== VERSION) return null;
  const decoded = parts.map(decodePart);
  return decoded.every((part) => part !== null) ? decoded : null;
}

function encodePart(part: string): string {
  return part.replace(/[%|]/g, (character) => encodeURIComponent(character));
}

function decodePart(part: string): string | null {
  return /%(?!25|7C)/.test(part) ? null : part.replaceAll('%7C', '|').replaceAll('%25', '%');
}
