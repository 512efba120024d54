import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const slashCommand = z.object({
  command: z.string().startsWith('/'),
  description: z.string(),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});

const shortcut = z.object({ name: z.string(), type: z.enum(['global', 'message']), callback_id: z.string() });

const appHome = z.object({
  home_tab_enabled: z.boolean().default(false),
  messages_tab_enabled: z.boolean().default(true),
  /** People cannot write in their direct message with the bot. */
  messages_tab_read_only_enabled: z.boolean().default(false),
});

const manifestSchema = z.object({
  display_information: z.object({ name: z.string() }),
  features: z.object({
    slash_commands: z.array(slashCommand).default([]),
    shortcuts: z.array(shortcut).default([]),
    app_home: appHome.prefault({}),
  }),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).prefault({}),
      socket_mode_enabled: z.boolean().default(false),
    })
    .prefault({}),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
});

/** The part of an app manifest that the local Slack acts by: name, commands, shortcuts, tabs, scopes, events, the way to the bot. */
export type Manifest = z.infer<typeof manifestSchema>;
export type SlashCommand = z.infer<typeof slashCommand>;

/** Reads and checks an app manifest in YAML; an unreadable or wrong one throws, naming the file. */
export async function readManifest(file: string): Promise<Manifest> {
  const parsed = manifestSchema.safeParse(parse(await readFile(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a usable app manifest: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
