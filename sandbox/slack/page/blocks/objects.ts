import { z } from 'zod';

/** The composition objects of Block Kit, as far as the page draws them. */
export type TextObject = z.infer<typeof textObject>;
export type Option = z.infer<typeof option>;
/** Options under a label, or by themselves. */
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

/** Slack asks in words of its own where the bot leaves some out. */
export const confirm = z.object({
  title: words('Are you sure?'),
  text: textObject,
  confirm: words('Yes'),
  deny: words('Cancel'),
  style: z.enum(['primary', 'danger']).optional(),
});
