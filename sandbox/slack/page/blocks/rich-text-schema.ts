import { z } from 'zod';

export type RichTextLeaf = z.infer<typeof leaf>;
export type RichTextElement = z.infer<typeof richTextElement>;

const style = z
  .object({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
  })
  .optional();

const leaf = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style }),
  z.object({ type: z.literal('link'), url: z.string(), text: z.string().optional(), style }),
  z.object({ type: z.literal('emoji'), name: z.string(), style }),
  z.object({ type: z.literal('user'), user_id: z.string(), style }),
  z.object({ type: z.literal('channel'), channel_id: z.string(), style }),
  z.object({ type: z.literal('usergroup'), usergroup_id: z.string(), style }),
  z.object({ type: z.literal('broadcast'), range: z.string(), style }),
  z.object({ type: z.literal('color'), value: z.string(), style }),
  z.object({
    type: z.literal('date'),
    timestamp: z.number(),
    format: z.string(),
    url: z.string().optional(),
    fallback: z.string().optional(),
    style,
  }),
]);

const section = z.object({ type: z.literal('rich_text_section'), elements: z.array(leaf) });

export const richTextElement = z.discriminatedUnion('type', [
  section,
  z.object({ type: z.enum(['rich_text_quote', 'rich_text_preformatted']), elements: z.array(leaf) }),
  z.object({
    type: z.literal('rich_text_list'),
    style: z.enum(['bullet', 'ordered']),
    indent: z.number().default(0),
    /** The number before an ordered list's first item. */
    offset: z.number().default(0),
    elements: z.array(section),
  }),
]);
