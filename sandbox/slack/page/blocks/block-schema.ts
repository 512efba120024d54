import { z } from 'zod';
import { element, picture } from './element-schema.ts';
import { textObject } from './objects.ts';
import { richTextElement } from './rich-text-schema.ts';
import { cell, columnSetting } from './table-schema.ts';

const identified = { block_id: z.string().default('') };

export type Block = z.infer<typeof block>;
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

/** The blocks that the page draws itself: all that can have an interactive element, and those whose text must be exact. */
export const block = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('section'),
    text: textObject.optional(),
    fields: z.array(textObject).optional(),
    accessory: element.optional(),
    ...identified,
  }),
  z.object({ type: z.literal('header'), text: textObject, level: z.number().optional(), ...identified }),
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
    image_url: z.string().optional(),
    alt_text: z.string(),
    title: textObject.optional(),
    ...identified,
  }),
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement), ...identified }),
  z.object({
    type: z.literal('table'),
    rows: z.array(z.array(cell)),
    column_settings: z.array(columnSetting).optional(),
    ...identified,
  }),
  z.object({
    type: z.literal('data_table'),
    caption: z.string(),
    rows: z.array(z.array(cell)),
    page_size: z.number().int().positive().default(5),
    row_header_column_index: z.number().optional(),
    ...identified,
  }),
  z.object({
    type: z.literal('alert'),
    text: textObject,
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).default('default'),
    ...identified,
  }),
  z.object({
    type: z.literal('container'),
    title: textObject.optional(),
    rich_text_title: z.object({ elements: z.array(richTextElement) }).optional(),
    subtitle: textObject.optional(),
    icon: picture.optional(),
    child_blocks: z.array(z.record(z.string(), z.unknown())),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).default('standard'),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    ...identified,
  }),
]);

/** The types in {@link block}. */
export const drawnTypes: ReadonlySet<unknown> = new Set(block.options.map((each) => each.shape.type.value));

/** The type that slack-blocks-to-jsx draws: the page draws blocks with text itself, since the library undoes escapes too early. */
export const libraryTypes = ['data_visualization'] as const;
