import { z } from 'zod';
import { type IncidentRef, parseIncidentRef } from '../../incidents/incident-ref.ts';
import type { NotificationId } from '../../lib/input/ids.ts';

const VERSION = 'v1';

/** The value of a button that is clicked, such as `v1|production|event|65f…`. */
export function writeValue(fields: readonly string[]): string {
  const encoded = fields.map((field) => field.replaceAll('%', '%25').replaceAll('|', '%7C'));
  return [VERSION, ...encoded].join('|');
}

export function parseValue(value: string): string[] | null {
  const [version, ...fields] = value.split('|');
  if (version !== VERSION) return null;
  return fields.map((field) => field.replaceAll('%7C', '|').replaceAll('%25', '%'));
}

export function valueParser<T>(fields: z.ZodType<T>): (value: string) => T | null {
  return (value: string) => fields.safeParse(parseValue(value)).data ?? null;
}

/** The field of a value that has only one. */
export const parseSingle: (value: string) => string | null = valueParser(
  z.tuple([z.string()]).transform(([only]) => only),
);

const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`));

export const CountText = digits(9).transform(Number);
export const IdText = digits(15).transform(Number);
export const IncidentText = z.string().transform((text, { addIssue }): IncidentRef => {
  const ref = parseIncidentRef(text);
  if (ref !== null) return ref;
  addIssue('names no incident');
  return z.NEVER;
});

/** The incident of a value that has nothing else. */
export const parseIncident: (value: string) => IncidentRef | null = valueParser(
  z.tuple([IncidentText]).transform(([ref]) => ref),
);

export interface LookupRequest {
  environment: string;
  target: NotificationId;
}

export function writeLookup({ environment, target }: LookupRequest): string {
  return writeValue([environment, target.kind, target.id]);
}

export const parseLookup: (value: string) => LookupRequest | null = valueParser(
  z
    .tuple([z.string(), z.enum(['event', 'transaction']), z.string()])
    .transform(([environment, kind, id]) => ({ environment, target: { kind, id } })),
);
