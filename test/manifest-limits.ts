import { z } from 'zod';

const address = z.string().startsWith('https://');

const text = (from: number, to: number) => z.string().min(from).max(to);

/**
 * Slack's limits of what this manifest uses: schemas/manifest.schema.2.0.0.json of slackapi/manifest-schema. Unknown
 * keys are refused, as Slack does.
 */
export const Manifest = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.number() }),
  display_information: z.strictObject({
    name: text(1, 35),
    description: text(1, 140),
    long_description: text(175, 4_000).optional(),
    background_color: z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({ display_name: text(1, 80), always_online: z.boolean() }),
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(2, 32).startsWith('/'),
          url: address.max(3_000).optional(),
          description: text(1, 2_000),
          usage_hint: text(1, 1_000),
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(1, 24),
          type: z.enum(['global', 'message']),
          callback_id: text(1, 255),
          description: text(1, 150),
        }),
      )
      .min(1)
      .max(10),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(text(1, 50)).max(255) }) }),
  settings: z.strictObject({
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: address.max(3_500).optional(),
      message_menu_options_url: address.max(3_500).optional(),
    }),
    event_subscriptions: z.strictObject({ request_url: address.optional(), bot_events: z.array(z.string()).max(100) }),
    org_deploy_enabled: z.boolean(),
    // With it Slack posts nothing; without it no socket hears anything.
    socket_mode_enabled: z.boolean(),
    // Notif keeps no refresh token.
    token_rotation_enabled: z.literal(false),
  }),
});
