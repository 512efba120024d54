import { catalogue } from '../entry.ts';
import { after, FIX_CONTENT, fix, ROTATE_KEY, SHORTEN, slowDown, wait } from '../next-steps.ts';

const WEBHOOKS = 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/';
const POST_MESSAGE = 'https://docs.slack.dev/reference/methods/chat.postMessage';

/** Errors of Slack. */
export const slack = catalogue({
  scope: { providers: ['slack', 'svc-slack'] },
  codes: 'own',
  hosts: ['docs.slack.dev', 'slack.com'],
  source: POST_MESSAGE,
  entries: [
    {
      code: ['no_service', 'no_service_id', '404', '410'],
      meaning: 'The incoming webhook was removed or disabled, or its address is wrong',
      ...fix('recipient', 'Have the subscriber connect Slack again, or enter a current webhook URL.'),
      source: WEBHOOKS,
    },
    {
      code: ['no_active_hooks', 'no_team', 'team_disabled'],
      meaning: 'The workspace of this webhook is gone or disabled',
      ...fix('recipient', 'Have the subscriber connect Slack again.'),
      source: WEBHOOKS,
    },
    {
      code: 'invalid_token',
      meaning: "The token in the webhook's address isn't valid",
      ...fix('recipient', 'Have the subscriber connect Slack again, or enter a current webhook URL.'),
      source: WEBHOOKS,
    },
    {
      code: '403',
      meaning: "The incoming webhook isn't allowed to post there: its token isn't valid, or the workspace forbids it",
      ...fix('recipient', 'Have the subscriber connect Slack again, or enter a current webhook URL.'),
      source: WEBHOOKS,
    },
    {
      code: 'invalid_payload',
      meaning: "Slack couldn't read the message: its JSON isn't valid",
      ...FIX_CONTENT,
      source: WEBHOOKS,
    },
    {
      code: 'user_not_found',
      meaning: "The user that the message is for doesn't exist in this workspace",
      ...fix('recipient', "Correct the recipient in the subscriber's credentials."),
      source: WEBHOOKS,
    },
    {
      code: 'channel_not_found',
      meaning: "The channel doesn't exist, or the app can't see it",
      ...fix('recipient', 'Invite the app to the channel, or correct its ID.'),
    },
    {
      code: ['channel_is_archived', 'is_archived'],
      meaning: 'The channel is archived',
      ...fix('recipient', 'Unarchive the channel, or use another.'),
    },
    {
      code: 'not_in_channel',
      meaning: "The app isn't in the channel",
      ...fix('recipient', 'Invite the app to the channel.'),
    },
    {
      code: [
        'action_prohibited',
        'restricted_action',
        'restricted_action_read_only_channel',
        'restricted_action_thread_only_channel',
        'posting_to_general_channel_denied',
      ],
      meaning: 'A setting of the workspace or channel forbids posting there',
      ...fix('recipient', "Ask the workspace's admin to allow the app to post there."),
    },
    {
      code: 'too_many_attachments',
      meaning: 'The message has more than 100 attachments',
      ...fix('content', 'Use fewer attachments.'),
    },
    { code: 'no_text', meaning: 'The message has no text', ...FIX_CONTENT },
    { code: ['msg_too_long', 'msg_blocks_too_long'], meaning: 'The message is longer than Slack accepts', ...SHORTEN },
    {
      code: ['invalid_blocks', 'invalid_blocks_format'],
      meaning: "Slack refused the message's blocks",
      ...fix('content', "Check the blocks of the step's content, for example in Slack's Block Kit Builder."),
    },
    { code: 'invalid_attachments', meaning: "Slack refused the message's attachments", ...FIX_CONTENT },
    {
      code: ['metadata_too_large', 'invalid_metadata_format', 'invalid_metadata_schema'],
      meaning: "Slack refused the message's metadata",
      ...fix('content', "Correct the step's overrides."),
    },
    { code: ['invalid_auth', 'not_authed'], meaning: 'Slack refused the token', ...ROTATE_KEY },
    {
      code: 'account_inactive',
      meaning: 'The token belongs to a user or workspace that was deleted',
      ...fix('credentials', 'Have the app installed again.'),
    },
    {
      code: ['token_revoked', 'token_expired'],
      meaning: 'The token was revoked or has expired',
      ...fix('credentials', 'Have the app installed again.'),
    },
    {
      code: ['missing_scope', 'no_permission'],
      meaning: 'The token lacks a permission (scope) that this needs',
      ...fix('credentials', 'Add the scope to the Slack app and install it again.'),
    },
    {
      code: 'not_allowed_token_type',
      meaning: "Slack doesn't take this type of token for posting",
      ...fix('credentials', 'Use the bot token.'),
    },
    {
      code: [
        'accesslimited',
        'access_denied',
        'ekm_access_denied',
        'team_access_not_granted',
        'org_login_required',
        'enterprise_is_restricted',
      ],
      meaning: "The workspace or organization doesn't allow the app to do this",
      ...fix('recipient', "Ask the workspace's admin to allow the app."),
    },
    {
      code: ['rate_limited', 'ratelimited', 'message_limit_exceeded'],
      meaning: "More messages were posted than Slack's rate limit allows",
      ...slowDown(1),
    },
    { code: 'request_timeout', meaning: 'The request to Slack was cut off', ...wait(5, 'network') },
    {
      code: ['fatal_error', 'internal_error'],
      meaning: 'Slack had an error of its own; the message may have been posted anyway',
      ...after(5, 'provider', 'Look in the channel before you send again.'),
    },
    { code: 'service_unavailable', meaning: 'Slack is unavailable at the moment', ...wait(5) },
  ],
});
