import { z } from 'zod';

/** The composition objects of Block Kit that the page draws. */
export type TextObject = z.infer<typeof textObject>;
export type Option = z.infer<typeof option>;
/** Options with or without a label. */
export type OptionGroup = { readonly label?: TextObject; readonly options: readonly Option[] };
export type Confirm = z.infer<typeof confirm>;

export const textObject = z.object({
  type: z.enum(['plain_text', 'mrkdwn']),
  text: z.string(),
  emoji: z.boolean().optional(),
  verbatim: z.boolean().optional(),
});

export const option = z.object({
  text: textObject,
  value: z.string().optional(),
  description: textObject.optional(),
  url: z.string().optional(),
});

export const optionGroup = z.object({ label: textObject, options: z.array(option) });

const words = (text: string) => textObject.default({ type: 'plain_text', text });

/** Slack has default texts for those that the bot omits. */
export const confirm = z.object({
  title: words('Are you sure?'),
  text: textObject,
  confirm: words('Yes'),
  deny: words('Cancel'),
  style: z.enum(['primary', 'danger']).optional(),
});
