import { z } from 'zod';
import { FreeText } from '../../domain/free-text.ts';
import type { JsonObject } from '../../domain/payload.ts';

/** The service leaves a field out or sends null, and means the same (field notes, "Lists"). */
export const text = z.string().nullish();
export const flag = z.boolean().nullish();
export const count = z.number().nullish();
export const texts = z.array(z.string()).nullish();

export function freeTextOf(value: string | null | undefined): FreeText | null {
  return typeof value === 'string' ? new FreeText(value) : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
