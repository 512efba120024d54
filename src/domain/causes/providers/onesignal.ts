import { catalogue } from '../entry.ts';
import { ASK_RECIPIENT, FIX_CONTENT, FIX_TOKEN, fix, ROTATE_KEY, slowDown } from '../next-steps.ts';

const NOTIFICATIONS = 'https://documentation.onesignal.com/reference/push-notification';
const KEYS = 'https://documentation.onesignal.com/docs/en/keys-and-ids';
const RATE_LIMITS = 'https://documentation.onesignal.com/reference/rate-limits';

/** Errors of OneSignal. */
export const onesignal = catalogue({
  scope: { providers: ['one-signal'] },
  codes: 'own',
  hosts: ['documentation.onesignal.com'],
  source: NOTIFICATIONS,
  entries: [
    {
      text: ['all included players are not subscribed', 'all included users are not subscribed'],
      meaning: "None of the subscriber's devices takes notifications at OneSignal",
      ...ASK_RECIPIENT,
    },
    {
      text: 'incorrect player_id format in include_player_ids',
      meaning: "The subscriber's device token isn't a OneSignal subscription ID",
      ...FIX_TOKEN,
    },
    {
      text: "access denied. please include an 'authorization",
      meaning: 'OneSignal refused the API key, or it belongs to another app',
      ...ROTATE_KEY,
      source: KEYS,
    },
    {
      text: ['app_id not found', 'app_id is not a valid uuid'],
      meaning: "OneSignal knows no app with the integration's ID",
      ...fix('setup', 'Correct the app ID in the integration.'),
      source: KEYS,
    },
    {
      text: [
        'message notifications must have english language content',
        'notification content must not be null for any languages',
      ],
      meaning: 'The notification has no content in English or in any language',
      ...FIX_CONTENT,
    },
    {
      text: 'you must include which players, segments, or tags you wish to send this notification to',
      meaning: 'The notification names no recipient',
      ...fix('recipient', "Add the subscriber's device token for OneSignal."),
    },
    {
      text: 'api rate limit exceeded',
      meaning: "More requests were sent than OneSignal's rate limit allows",
      ...slowDown(5),
      source: RATE_LIMITS,
    },
  ],
});
