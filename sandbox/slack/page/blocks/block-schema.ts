import { z } from 'zod';
import { element, picture } from './element-schema.ts';
import { textObject } from './objects.ts';
import { richTextElement } from './rich-text-schema.ts';

export type Block = z.infer<typeof block>;
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

const identified = { block_id: z.string().default('') };

const cell = z.union([
  z.object({ type: z.enum(['raw_text', 'raw_number']), text: z.coerce.string() }),
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement) }),
]);

/** The blocks that the page draws itself: all that can hold an interactive element, and those whose text must be exact. */
export const block = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('section'),
    text: textObject.optional(),
    fields: z.array(textObject).optional(),
    accessory: element.optional(),
    ...identified,
  }),
  z.object({ type: z.literal('header'), text: textObject, ...identified }),
  z.object({ type: z.literal('divider'), ...identified }),
  z.object({ type: z.literal('context'), elements: z.array(z.union([textObject, picture])), ...identified }),
  z.object({ type: z.literal('actions'), elements: z.array(element), ...identified }),
  z.object({
    type: z.literal('input'),
    label: textObject,
    element,
    hint: textObject.optional(),
    optional: z.boolean().optional(),
    dispatch_action: z.boolean().optional(),
    ...identified,
  }),
  z.object({
    type: z.literal('image'),
    image_url: z.string(),
    alt_text: z.string(),
    title: textObject.optional(),
    ...identified,
  }),
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement), ...identified }),
  z.object({ type: z.literal('table'), rows: z.array(z.array(cell)), ...identified }),
]);

/** The types that {@link block} knows. */
export const drawnTypes: ReadonlySet<unknown> = new Set(block.options.map((each) => each.shape.type.value));
