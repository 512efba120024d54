import { z } from 'zod';

const VERSION = 'v1';

/** `v1|production|event|65f…` */
export function writeValue(parts: readonly string[]): string {
  return [VERSION, ...parts.map(encodePart)].join('|');
}

/** Null for another version's. */
export function parseValue(value: string): readonly string[] | null {
  const [version, ...parts] = value.split('|');
  if (version !== VERSION) return null;
  const decoded = parts.map(decodePart);
  return decoded.every((part) => part !== null) ? decoded : null;
}

export function valueParser<T>(parts: z.ZodType<T>): (value: string) => T | null {
  return (value) => parts.safeParse(parseValue(value)).data ?? null;
}

export const parseOnly = valueParser(z.tuple([z.string()]).transform(([only]) => only));

const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`));

export const Count = digits(9).transform(Number);
export const Key = digits(15).transform(Number);
export const KeyOrNull = z.union([z.literal('').transform(() => null), Key]);

function encodePart(part: string): string {
  return part.replace(/[%|]/g, (character) => encodeURIComponent(character));
}

function decodePart(part: string): string | null {
  return /%(?!25|7C)/.test(part) ? null : part.replaceAll('%7C', '|').replaceAll('%25', '%');
}
