import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { unescaped } from '../../lib/input/slack-text.ts';
import type { FilledView } from './interaction.ts';

/** The fields that Notif uses of the bodies that Slack sends ("Interaction payloads", "Implementing slash commands"). */

const Id = z.object({ id: z.string() });

/** Slack escapes the texts of the options that it sends back, and details them. */
const Option = z.object({ value: z.string(), text: z.object({ text: z.string() }).optional() });

/** An entry of `state.values`: text, one or several chosen options, a person, or a time of day. */
const Entry = z.object({
  value: z.string().nullish(),
  selected_option: Option.nullish(),
  selected_options: z.array(Option).nullish(),
  selected_user: z.string().nullish(),
  selected_time: z.string().nullish(),
});

type Entry = z.output<typeof Entry>;

/** Nothing is read from other blocks. */
const DrawnText = z.object({ block_id: z.string(), element: z.object({ initial_value: z.string() }) });

const View = z
  .object({
    id: z.string(),
    callback_id: z.string().default(''),
    type: z.enum(['modal', 'home']).default('modal'),
    private_metadata: z.string().default(''),
    blocks: z.array(z.unknown()).default([]),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), z.unknown())) }).default({ values: {} }),
  })
  .transform(({ id, callback_id: callbackId, type, private_metadata: privateMetadata, blocks, state }) => {
    const drawn = blocks.flatMap((block) => DrawnText.safeParse(block).data ?? []);
    const initialIn = (blockId: string) =>
      drawn.find(({ block_id: drawnId }) => drawnId === blockId)?.element.initial_value ?? null;
    const entryIn = (blockId: string) => Entry.safeParse(Object.values(state.values[blockId] ?? {})[0]).data;
    const valuesIn = (blockId: string) => valuesOf(entryIn(blockId));
    const view: FilledView = {
      ...{ id, callbackId, privateMetadata, initialIn, valuesIn },
      blockIds: Object.keys(state.values),
      valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
      carried: (next) => carried(next, entryIn, initialIn),
    };
    return { ...view, type };
  });

export const CommandBody = z.object({
  user_id: z.string(),
  channel_id: z.string(),
  text: z.string().default(''),
  trigger_id: z.string(),
  response_url: z.string(),
});

const Acted = z.object({
  user: Id,
  trigger_id: z.string(),
  channel: Id.optional(),
  response_url: z.string().optional(),
});

export const ShortcutBody = Acted.extend({ message: z.record(z.string(), z.unknown()).optional() });

export const ActionBody = Acted.extend({
  view: View.optional(),
  /** The message that was acted on. Slack leaves out an ephemeral one, for which there is only `container`. */
  message: z.object({ ts: z.string().optional(), thread_ts: z.string().optional() }).optional(),
  container: z.object({ message_ts: z.string().optional(), thread_ts: z.string().optional() }).optional(),
  actions: z
    .tuple([
      z.object({ value: z.string().nullish(), selected_option: Option.nullish(), block_id: z.string().default('') }),
    ])
    .rest(z.unknown()),
});

export const SubmissionBody = z.object({ user: Id, trigger_id: z.string(), view: View });

export const OptionsBody = z.object({ user: Id, value: z.string().default(''), block_id: z.string() });

/**
 * A person's message to Notif ("app_mention event", "message.im event"). Edits, deletions and apps' messages have a `subtype` or a
 * `bot_id`; thread replies that are also sent to the channel, and messages with a file, are by people.
 */
export const WrittenMessage = z.object({
  user: z.string(),
  text: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  channel: z.string(),
  subtype: z.enum(['thread_broadcast', 'file_share']).optional(),
  bot_id: z.never().optional(),
});

export const HomeOpened = z.object({ user: z.string(), tab: z.enum(['home', 'messages']) });

function valuesOf(entry: Entry | undefined): readonly string[] {
  const options = entry?.selected_options ?? [entry?.selected_option];
  const all = [entry?.value, entry?.selected_user, entry?.selected_time, ...options.map((option) => option?.value)];
  return all.filter((item) => item !== null && item !== undefined);
}

function isInput(block: AnyBlock): block is InputBlock {
  return block.type === 'input';
}

/** Slack takes a select's choice from the new view, and refuses one that differs from the options that are offered. */
function carried(
  next: ModalView,
  entryIn: (blockId: string) => Entry | undefined,
  initialIn: FilledView['initialIn'],
): ModalView {
  const blocks = next.blocks.map((block): AnyBlock => {
    const entry = entryIn(block.block_id ?? '');
    if (!isInput(block) || block.block_id === undefined || entry === undefined) return block;
    const { element } = block;
    if (element.type === 'plain_text_input') {
      const { initial_value: _, ...empty } = element;
      const initial = initialIn(block.block_id);
      return { ...block, element: initial === null ? empty : { ...empty, initial_value: initial } };
    }
    if (element.type !== 'static_select' && element.type !== 'external_select') return block;
    const { initial_option: _, ...open } = element;
    const { value, text } = entry.selected_option ?? {};
    const chosen =
      open.type === 'static_select'
        ? open.options?.find((option) => option.value === value)
        : value && text && { value, text: { type: 'plain_text' as const, text: unescaped(text.text) } };
    return { ...block, element: chosen ? { ...open, initial_option: chosen } : open };
  });
  return { ...next, blocks };
}
