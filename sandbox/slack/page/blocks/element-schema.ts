import { z } from 'zod';
import { confirm, option, optionGroup, textObject } from './objects.ts';

export type Element = z.infer<typeof element>;
export type ElementOf<Type extends Element['type']> = Extract<Element, { type: Type }>;

/** An element's initial value, as in its state. */
const initial = z.unknown().optional();

const interactive = {
  action_id: z.string(),
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
  placeholder: textObject.optional(),
};

const listed = {
  ...interactive,
  options: z.array(option).optional(),
  option_groups: z.array(optionGroup).optional(),
  initial_option: initial,
  initial_options: initial,
};

const typed = {
  ...interactive,
  initial_value: initial,
  multiline: z.boolean().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
  dispatch_action_config: z.object({ trigger_actions_on: z.array(z.string()).optional() }).optional(),
};

const searched = {
  ...interactive,
  min_query_length: z.number().optional(),
  initial_option: initial,
  initial_options: initial,
};

/** An image with a `slack_file` has no URL, so the page shows its description. */
export const picture = z.object({ type: z.literal('image'), image_url: z.string().optional(), alt_text: z.string() });

/** Every element that the page can draw. The validator checks their limits. */
export const element = z.discriminatedUnion('type', [
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
  z.object({
    type: z.enum([
      'users_select',
      'channels_select',
      'conversations_select',
      'multi_users_select',
      'multi_channels_select',
      'multi_conversations_select',
    ]),
    initial_user: initial,
    initial_users: initial,
    initial_channel: initial,
    initial_channels: initial,
    initial_conversation: initial,
    initial_conversations: initial,
    ...interactive,
  }),
  z.object({ type: z.literal('checkboxes'), options: z.array(option), initial_options: initial, ...interactive }),
  z.object({ type: z.literal('radio_buttons'), options: z.array(option), initial_option: initial, ...interactive }),
  z.object({ type: z.literal('plain_text_input'), ...typed }),
  z.object({ type: z.literal('timepicker'), initial_time: initial, ...interactive }),
  picture,
]);

/** Returns what distinguishes an element from the others of its block. */
export function keyOfElement(element: Element): string {
  return element.type === 'image' ? element.alt_text : element.action_id;
}
