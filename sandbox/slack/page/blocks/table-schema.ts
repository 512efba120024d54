import { z } from 'zod';
import { richTextElement } from './rich-text-schema.ts';

export type Cell = z.infer<typeof cell>;

/** A cell of a table or data table. */
export const cell = z.discriminatedUnion('type', [
  z.object({ type: z.literal('raw_text'), text: z.string() }),
  z.object({ type: z.literal('raw_number'), value: z.number(), text: z.string().optional() }),
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement) }),
]);

/** A column's settings; null if it has none. */
export const columnSetting = z
  .object({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
  .nullable();
