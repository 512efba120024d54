import { z } from 'zod';
import { FreeText } from '../../domain/text/free-text.ts';
import type { JsonObject } from '../../domain/text/payload.ts';
import { isObject } from '../../domain/text/same-json.ts';

/** Makes a field optional. The service leaves a field out or sends null, and means the same (field notes, "Lists"). */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> {
  return schema.nullish();
}

export const text = optional(z.string());
export const flag = optional(z.boolean());
export const count = optional(z.number());
export const texts = optional(z.array(z.string()));
/** An object with arbitrary fields. */
export const anyObject = optional(z.custom<JsonObject>(isObject));

export function freeTextOf(value: string | null | undefined): FreeText | null {
  return typeof value === 'string' ? new FreeText(value) : null;
}
