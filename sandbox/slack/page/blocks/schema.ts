import { z } from 'zod';

/** The parts of Block Kit that the page draws: those that the validator accepts, which also checks their limits. */

export type TextObject = z.infer<typeof textObject>;
export type Option = z.infer<typeof option>;
/** Options with or without a label. */
export type OptionGroup = { readonly label?: TextObject; readonly options: readonly Option[] };
export type Confirm = z.infer<typeof confirm>;
export type Element = z.infer<typeof element>;
export type ElementOf<Type extends Element['type']> = Extract<Element, { type: Type }>;
export type RichTextLeaf = z.infer<typeof leaf>;
export type RichTextElement = z.infer<typeof richTextElement>;
export type Cell = z.infer<typeof cell>;
export type Block = z.infer<typeof block>;
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

export const textObject = z.object({
  type: z.enum(['plain_text', 'mrkdwn']),
  text: z.string(),
  emoji: z.boolean().optional(),
  verbatim: z.boolean().optional(),
});

export const option = z.object({ text: textObject, value: z.string(), description: textObject.optional() });

const words = (text: string) => textObject.default({ type: 'plain_text', text });

/** Slack has default texts for those that the bot omits. */
const confirm = z.object({
  title: words('Are you sure?'),
  text: textObject,
  confirm: words('Yes'),
  deny: words('Cancel'),
  style: z.enum(['primary', 'danger']).optional(),
});

const initial = z.unknown().optional();

const interactive = {
  action_id: z.string(),
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
  placeholder: textObject.optional(),
  initial_option: initial,
  initial_options: initial,
};
const listed = {
  ...interactive,
  options: z.array(option).optional(),
  option_groups: z.array(z.object({ label: textObject, options: z.array(option) })).optional(),
};
const searched = { ...interactive, min_query_length: z.number().optional() };

const element = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('button'),
    text: textObject,
    value: z.string().optional(),
    url: z.string().optional(),
    style: z.enum(['primary', 'danger']).optional(),
    accessibility_label: z.string().optional(),
    ...interactive,
  }),
  z.object({ type: z.literal('overflow'), options: z.array(option), ...interactive }),
  z.object({ type: z.literal('static_select'), ...listed }),
  z.object({ type: z.literal('multi_static_select'), ...listed }),
  z.object({ type: z.literal('external_select'), ...searched }),
  z.object({ type: z.literal('multi_external_select'), ...searched }),
  z.object({ type: z.literal('users_select'), initial_user: initial, ...interactive }),
  z.object({ type: z.literal('checkboxes'), options: z.array(option), ...interactive }),
  z.object({ type: z.literal('radio_buttons'), options: z.array(option), ...interactive }),
  z.object({
    type: z.literal('plain_text_input'),
    initial_value: initial,
    multiline: z.boolean().optional(),
    max_length: z.number().optional(),
    ...interactive,
  }),
  z.object({ type: z.literal('timepicker'), initial_time: initial, ...interactive }),
]);

const style = z.object({ bold: z.boolean(), italic: z.boolean(), code: z.boolean() }).partial().optional();

const leaf = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style }),
  z.object({ type: z.literal('link'), url: z.string(), text: z.string().optional() }),
  z.object({ type: z.literal('user'), user_id: z.string() }),
  z.object({ type: z.literal('channel'), channel_id: z.string() }),
  z.object({ type: z.literal('date'), timestamp: z.number(), format: z.string(), fallback: z.string().default('') }),
]);

const richTextElement = z.object({
  type: z.enum(['rich_text_section', 'rich_text_preformatted']),
  elements: z.array(leaf),
});

const cell = z.discriminatedUnion('type', [
  z.object({ type: z.literal('raw_text'), text: z.string() }),
  z.object({ type: z.literal('raw_number'), value: z.number(), text: z.string() }),
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement) }),
]);

const identified = { block_id: z.string().default('') };

export const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('section'), text: textObject, accessory: element.optional(), ...identified }),
  z.object({ type: z.literal('header'), text: textObject, ...identified }),
  z.object({ type: z.literal('divider'), ...identified }),
  z.object({ type: z.literal('context'), elements: z.array(textObject), ...identified }),
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
  z.object({ type: z.literal('rich_text'), elements: z.array(richTextElement), ...identified }),
  z.object({
    type: z.literal('data_table'),
    caption: z.string(),
    rows: z.array(z.array(cell)),
    page_size: z.number().int().positive().default(5),
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
    title: textObject,
    child_blocks: z.array(z.record(z.string(), z.unknown())),
    default_collapsed: z.boolean().optional(),
    ...identified,
  }),
]);
