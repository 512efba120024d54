import { z } from 'zod';
import type { FilledView } from './gesture.ts';

/** What Notif reads of the bodies that Slack sends ("Interaction payloads", "Implementing slash commands"). */

const Id = z.object({ id: z.string() });
const Option = z.object({ value: z.string() });

/** An entry of `state.values`: text, one chosen option or several, a person, or a time of the day. */
const Entry = z
  .object({
    value: z.string().nullish(),
    selected_option: Option.nullish(),
    selected_options: z.array(Option).nullish(),
    selected_user: z.string().nullish(),
    selected_time: z.string().nullish(),
  })
  .transform((entry) => {
    const options = entry.selected_options ?? [entry.selected_option];
    const all = [entry.value, entry.selected_user, entry.selected_time, ...options.map((option) => option?.value)];
    return all.filter((one) => one !== null && one !== undefined);
  });

const View = z
  .object({
    id: z.string(),
    private_metadata: z.string().default(''),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), Entry)) }).default({ values: {} }),
  })
  .transform(({ id, private_metadata, state }) => filledView(id, private_metadata, state.values));

export const CommandBody = z.object({
  user_id: z.string(),
  channel_id: z.string(),
  text: z.string().default(''),
  trigger_id: z.string(),
  response_url: z.string(),
});

export const ShortcutBody = z.object({
  user: Id,
  trigger_id: z.string(),
  channel: Id.optional(),
  response_url: z.string().optional(),
  message: z.record(z.string(), z.unknown()).optional(),
});

export const ActionBody = z.object({
  user: Id,
  trigger_id: z.string(),
  channel: Id.optional(),
  response_url: z.string().optional(),
  view: View.optional(),
  actions: z
    .tuple([
      z.object({ value: z.string().nullish(), selected_option: Option.nullish(), block_id: z.string().default('') }),
    ])
    .rest(z.unknown()),
});

export const SubmissionBody = z.object({ user: Id, trigger_id: z.string(), view: View });

export const OptionsBody = z.object({ value: z.string().default(''), block_id: z.string() });

type Values = Readonly<Record<string, Readonly<Record<string, z.output<typeof Entry>>>>>;

function filledView(id: string, privateMetadata: string, values: Values): FilledView {
  const valuesIn = (blockId: string) => Object.values(values[blockId] ?? {})[0] ?? [];
  return {
    id,
    privateMetadata,
    blockIds: Object.keys(values),
    valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
    valuesIn,
  };
}

/** Every text in a Slack message: its own, and those in its blocks and attachments, links' addresses included. */
export function textsIn(message: unknown): string {
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.map(textsIn).join('\n');
  if (typeof message !== 'object' || message === null) return '';
  return Object.entries(message)
    .filter(([key]) => !NO_TEXT.has(key))
    .map(([, value]) => textsIn(value))
    .join('\n');
}

/** Fields that hold Slack's own ids and Notif's own button values. */
const NO_TEXT = new Set([
  'type',
  'ts',
  'thread_ts',
  'user',
  'team',
  'bot_id',
  'app_id',
  'block_id',
  'action_id',
  'client_msg_id',
  'bot_profile',
  'metadata',
  'style',
  'value',
]);
