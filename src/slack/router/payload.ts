import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { FilledView } from './interaction.ts';
import { withTypedIn } from './typed.ts';

/** The fields that Notif uses of the bodies that Slack sends ("Interaction payloads", "Implementing slash commands"). */

const Id = z.object({ id: z.string() });
const Message = z.object({ ts: z.string().optional(), thread_ts: z.string().optional() });
const Option = z.object({ value: z.string() });

/** An entry of `state.values`: text, one or several chosen options, a person, or a time of day. */
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
    return all.filter((item) => item !== null && item !== undefined);
  });

const Typed = z.record(z.string(), z.unknown());

/** Nothing is read from other blocks. */
const Drawn = z.object({ block_id: z.string(), element: z.object({ initial_value: z.string() }) });

const Words = z.object({ text: z.string() });

const View = z
  .object({
    id: z.string(),
    hash: z.string().optional(),
    callback_id: z.string().default(''),
    type: z.enum(['modal', 'home']).default('modal'),
    private_metadata: z.string().default(''),
    title: Words.nullish(),
    close: Words.nullish(),
    blocks: z.array(z.looseObject({})).default([]),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), Typed)) }).default({ values: {} }),
  })
  .transform(({ id, hash, callback_id: callbackId, type, private_metadata: privateMetadata, ...sent }) => {
    const { title, close, blocks, state } = sent;
    const drawn = blocks.flatMap((block) => Drawn.safeParse(block).data ?? []);
    const initialIn = (blockId: string) =>
      drawn.find(({ block_id: drawnId }) => drawnId === blockId)?.element.initial_value ?? null;
    const valuesIn = (blockId: string) =>
      Entry.safeParse(Object.values(state.values[blockId] ?? {})[0] ?? {}).data ?? [];
    const view: FilledView = {
      ...{ id, callbackId, privateMetadata, initialIn, valuesIn },
      blockIds: Object.keys(state.values),
      valueIn: (blockId) => valuesIn(blockId)[0] ?? null,
      carried: (next) => ({ ...next, blocks: withTypedIn(next.blocks, asDrawn(state.values, initialIn)) }),
    };
    const asShown: ModalView = {
      type: 'modal',
      title: { type: 'plain_text', text: title?.text ?? 'Notif' },
      ...(close ? { close: { type: 'plain_text', text: close.text } } : {}),
      // Slack created them from what Notif had sent.
      blocks: blocks as unknown as KnownBlock[],
    };
    /** The modal as it is shown if it isn't a form, which people may be filling in. */
    const result = type === 'modal' && callbackId === '' ? asShown : null;
    return { ...view, type, hash, result };
  });

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
  /** The message that was acted on. Slack leaves out an ephemeral one, for which there is only `container`. */
  message: Message.optional(),
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

type Values = Readonly<Record<string, Readonly<Record<string, z.output<typeof Typed>>>>>;

/** Slack keeps what people typed by itself, and Notif doesn't send it back. */
function asDrawn(values: Values, initialIn: FilledView['initialIn']): Values {
  const entryOf = (blockId: string, entry: Values[string][string]) =>
    typeof entry.value === 'string' ? { ...entry, value: initialIn(blockId) } : entry;
  return Object.fromEntries(
    Object.entries(values).map(([blockId, entries]) => [
      blockId,
      Object.fromEntries(Object.entries(entries).map(([id, entry]) => [id, entryOf(blockId, entry)])),
    ]),
  );
}
