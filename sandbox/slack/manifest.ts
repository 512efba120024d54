import { parse } from 'yaml';
import { z } from 'zod';

const text = (most: number, least = 1) => z.string().min(least).max(most);
const flag = z.boolean().default(false);
const address = z
  .url({ protocol: /^https?$/ })
  .max(3_500)
  .optional();

/** Slack's limits and defaults (slackapi/manifest-schema 2.0.0) of what Notif's manifests have. Unknown keys are refused. */
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.int(), minor_version: z.int() }).optional(),
  display_information: z.strictObject({
    name: text(35),
    description: text(140).optional(),
    background_color: text(7, 4).optional(),
  }),
  features: z
    .strictObject({
      bot_user: z.strictObject({ display_name: text(80), always_online: flag }).optional(),
      app_home: z
        .strictObject({
          home_tab_enabled: flag,
          messages_tab_enabled: z.boolean().default(true),
          messages_tab_read_only_enabled: flag,
        })
        .prefault({}),
      slash_commands: z
        .array(
          z.strictObject({
            command: text(32, 2).startsWith('/'),
            description: text(2_000),
            url: address,
            usage_hint: text(1_000).default(''),
            should_escape: flag,
          }),
        )
        .max(50)
        .default([]),
      shortcuts: z
        .array(
          z.strictObject({
            name: text(24),
            type: z.enum(['global', 'message']),
            callback_id: text(255),
            description: text(150),
          }),
        )
        .max(10)
        .default([]),
    })
    .prefault({}),
  oauth_config: z
    .strictObject({ scopes: z.strictObject({ bot: z.array(text(50)).max(255).default([]) }).prefault({}) })
    .prefault({}),
  settings: z
    .strictObject({
      interactivity: z
        .strictObject({ is_enabled: z.boolean(), request_url: address, message_menu_options_url: address })
        .optional(),
      event_subscriptions: z
        .strictObject({ request_url: address, bot_events: z.array(text(50)).max(100).default([]) })
        .prefault({}),
      socket_mode_enabled: flag,
      org_deploy_enabled: flag,
      token_rotation_enabled: flag,
    })
    .prefault({}),
});

export type Manifest = z.infer<typeof manifestSchema>;

export function parseManifest(yaml: string, source: string): Manifest {
  const parsed = manifestSchema.safeParse(parse(yaml));
  if (parsed.success) return parsed.data;
  throw new Error(`${source} is not an app manifest that Slack would take:\n${z.prettifyError(parsed.error)}`);
}
