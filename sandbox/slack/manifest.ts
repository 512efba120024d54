import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const text = (min: number, max: number) => z.string().min(min).max(max);

const address = text(0, 3_500).regex(/^https?:\/\//, 'must be a full address');

const slashCommand = z.strictObject({
  command: text(2, 32).startsWith('/'),
  description: text(1, 2_000),
  usage_hint: text(1, 1_000).default(''),
  url: address.optional(),
  should_escape: z.boolean().default(false),
});

const shortcut = z.strictObject({
  name: text(1, 24),
  type: z.enum(['global', 'message']),
  callback_id: text(1, 255),
  description: text(1, 150),
});

const appHome = z.strictObject({
  home_tab_enabled: z.boolean().default(false),
  messages_tab_enabled: z.boolean().default(true),
  messages_tab_read_only_enabled: z.boolean().default(false),
});

const features = z.strictObject({
  bot_user: z.strictObject({ display_name: text(1, 80), always_online: z.boolean().default(false) }).optional(),
  app_home: appHome.prefault({}),
  slash_commands: z.array(slashCommand).min(1).max(50).default([]),
  shortcuts: z.array(shortcut).min(1).max(10).default([]),
});

const settings = z.strictObject({
  interactivity: z
    .strictObject({
      is_enabled: z.boolean(),
      request_url: address.optional(),
      message_menu_options_url: address.optional(),
    })
    .optional(),
  event_subscriptions: z
    .strictObject({ request_url: address.optional(), bot_events: z.array(text(0, 50)).max(100).default([]) })
    .prefault({}),
  socket_mode_enabled: z.boolean().default(false),
  org_deploy_enabled: z.boolean().optional(),
  token_rotation_enabled: z.boolean().optional(),
});

/**
 * An app manifest with Slack's limits (schemas/manifest.schema.2.0.0.json of slackapi/manifest-schema) and its defaults, of the parts that
 * Notif's manifests have. Unknown keys are refused, as in Slack.
 */
export const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.int().optional(), minor_version: z.int().optional() }).optional(),
  display_information: z.strictObject({
    name: text(1, 35),
    description: text(1, 140).optional(),
    background_color: text(4, 7).optional(),
  }),
  features: features.prefault({}),
  oauth_config: z
    .strictObject({ scopes: z.strictObject({ bot: z.array(text(0, 50)).max(255).default([]) }).prefault({}) })
    .prefault({}),
  settings: settings.prefault({}),
});

export type Manifest = z.infer<typeof manifestSchema>;

export class ManifestError extends Error {
  constructor(source: string, cause: z.ZodError) {
    super(`${source} is not an app manifest that Slack would take:\n${z.prettifyError(cause)}`, { cause });
    this.name = 'ManifestError';
  }
}

/**
 * Reads and checks an app manifest in YAML. A ManifestError names the file and everything that is wrong; a missing file is Node's error.
 */
export async function readManifest(file: string): Promise<Manifest> {
  return parseManifest(await readFile(file, 'utf8'), file);
}

export function parseManifest(yaml: string, source: string): Manifest {
  const parsed = manifestSchema.safeParse(parse(yaml));
  if (!parsed.success) throw new ManifestError(source, parsed.error);
  return parsed.data;
}
