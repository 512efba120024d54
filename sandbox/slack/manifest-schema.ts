import { z } from 'zod';
import { SCOPES } from './scopes.ts';

/** Slack also accepts http for request URLs. */
const address = (max: number) => text(0, max).regex(/^https?:\/\//, 'must be a full address');

const domain = (max: number) => text(0, max).regex(/^(?![.-])[-a-z0-9.]+[a-z0-9]$/, 'must be a lower-case host');

const scopes = z.array(text(0, 50).refine((scope) => SCOPES.has(scope), 'is no scope of a bot')).max(255);

/** Scopes of a user's token. This Slack issues none and doesn't check their names. */
const userScopes = z.array(text(0, 50)).max(255);

const eventNames = z.array(text(0, 50)).max(100).refine(areDistinct, 'names an event twice');

const metadata = z.strictObject({
  major_version: z.int().optional(),
  minor_version: z.int().optional(),
  schema_version: z.int().optional(),
  min_version: z.int().optional(),
});

const displayInformation = z.strictObject({
  name: text(1, 35),
  description: text(1, 140).optional(),
  long_description: text(175, 4_000).optional(),
  background_color: z
    .string()
    .regex(/^#(?:[0-9a-f]{3}){1,2}$/i, 'must be #rgb or #rrggbb')
    .optional(),
});

const slashCommand = z.strictObject({
  command: text(2, 32).startsWith('/'),
  description: text(1, 2_000),
  usage_hint: text(1, 1_000).default(''),
  url: address(3_000).optional(),
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
  /** Whether people can't write in their direct message with the bot. */
  messages_tab_read_only_enabled: z.boolean().default(false),
});

const prompt = z.strictObject({ title: z.string(), message: z.string() });

const features = z.strictObject({
  bot_user: z.strictObject({ display_name: text(1, 80), always_online: z.boolean().default(false) }).optional(),
  app_home: appHome.prefault({}),
  slash_commands: z.array(slashCommand).min(1).max(50).default([]),
  shortcuts: z.array(shortcut).min(1).max(10).default([]),
  unfurl_domains: z.array(domain(255)).min(1).max(5).refine(areDistinct, 'names a domain twice').default([]),
  agent_view: z
    .strictObject({
      agent_description: text(0, 300).optional(),
      suggested_prompts: z.array(prompt).max(4).optional(),
      actions: z.array(z.strictObject({ name: z.string(), description: z.string() })).optional(),
    })
    .optional(),
  assistant_view: z
    .strictObject({ assistant_description: z.string(), suggested_prompts: z.array(prompt).optional() })
    .optional(),
});

const oauthConfig = z.strictObject({
  scopes: z
    .strictObject({
      bot: scopes.default([]),
      bot_optional: scopes.optional(),
      user: userScopes.optional(),
      user_optional: userScopes.optional(),
    })
    .prefault({}),
  redirect_urls: z.array(text(0, 2_500)).max(1_000).optional(),
  token_management_enabled: z.boolean().optional(),
  pkce_enabled: z.boolean().optional(),
});

const settings = z.strictObject({
  interactivity: z
    .strictObject({
      is_enabled: z.boolean(),
      request_url: address(3_500).optional(),
      message_menu_options_url: address(3_500).optional(),
    })
    .optional(),
  event_subscriptions: z
    .strictObject({
      request_url: address(3_500).optional(),
      bot_events: eventNames.default([]),
      user_events: eventNames.optional(),
      metadata_subscriptions: z
        .array(z.strictObject({ app_id: z.string(), event_type: text(0, 50) }))
        .min(1)
        .max(20)
        .optional(),
    })
    .prefault({}),
  socket_mode_enabled: z.boolean().default(false),
  org_deploy_enabled: z.boolean().optional(),
  token_rotation_enabled: z.boolean().optional(),
  is_hosted: z.boolean().optional(),
  function_runtime: z.string().optional(),
  is_mcp_enabled: z.boolean().optional(),
  incoming_webhooks: z.strictObject({ incoming_webhooks_enabled: z.boolean().optional() }).optional(),
  allowed_ip_address_ranges: z
    .array(z.union([z.ipv4(), z.cidrv4()]))
    .min(1)
    .max(50)
    .optional(),
});

/**
 * An app manifest with Slack's limits (schemas/manifest.schema.2.0.0.json of slackapi/manifest-schema) and its defaults. Unknown keys are
 * refused, as in Slack. That includes the parts for hosted apps (functions, workflows, datastores, …), which no self-hosted bot has.
 */
export const manifestSchema = z.strictObject({
  _metadata: metadata.optional(),
  display_information: displayInformation,
  features: features.prefault({}),
  oauth_config: oauthConfig.prefault({}),
  settings: settings.prefault({}),
  outgoing_domains: z.array(domain(50)).max(10).optional(),
});

function text(min: number, max: number): z.ZodString {
  return z.string().min(min).max(max);
}

function areDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
