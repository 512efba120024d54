import { z } from 'zod';
import type { PageAct } from '../page-protocol.ts';

const json = z.record(z.string(), z.unknown());
const surface = z.discriminatedUnion('in', [
  z.object({ in: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ in: z.literal('view'), viewId: z.string() }),
]);
const state = z.record(z.string(), z.record(z.string(), json));

/** An interaction that the page sends; see page-protocol.ts. */
export const actSchema: z.ZodType<PageAct> = z.discriminatedUnion('do', [
  z.object({ do: z.literal('command'), channel: z.string(), text: z.string(), threadTs: z.string().exactOptional() }),
  z.object({ do: z.literal('say'), channel: z.string(), text: z.string(), threadTs: z.string().exactOptional() }),
  z.object({ do: z.literal('open-tab'), tab: z.enum(['home', 'messages']) }),
  z.object({ do: z.literal('create-channel'), name: z.string() }),
  z.object({
    do: z.literal('change-channel'),
    channel: z.string(),
    change: z.enum(['archive', 'unarchive', 'invite-bot', 'remove-bot']),
  }),
  z.object({ do: z.literal('global-shortcut'), callbackId: z.string() }),
  z.object({ do: z.literal('message-shortcut'), callbackId: z.string(), channel: z.string(), ts: z.string() }),
  z.object({
    do: z.literal('block-action'),
    surface,
    blockId: z.string(),
    actionId: z.string(),
    action: json,
    state,
  }),
  z.object({ do: z.literal('suggest'), surface, blockId: z.string(), actionId: z.string(), value: z.string() }),
  z.object({ do: z.literal('submit-view'), viewId: z.string(), state }),
  z.object({ do: z.literal('close-view'), viewId: z.string() }),
  z.object({ do: z.literal('close-all-views') }),
]);
