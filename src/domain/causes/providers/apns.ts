import { catalogue } from '../entry.ts';
import {
  ASK_PROVIDER,
  after,
  FIX_CONTENT,
  FIX_OVERRIDES,
  FIX_TOKEN,
  fix,
  REMOVE_TOKEN,
  ROTATE_KEY,
  SHORTEN,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns';

/** Errors of APNs. */
export const apns = catalogue({
  scope: { providers: ['apns'] },
  codes: 'own',
  hosts: ['developer.apple.com'],
  source: ERRORS,
  entries: [
    {
      code: 'BadDeviceToken',
      meaning: "The device token isn't valid, or belongs to the other environment (sandbox or production)",
      ...fix('recipient', 'Check that integration and app use the same APNs environment; else replace the token.'),
    },
    { code: 'Unregistered', meaning: "The device token isn't valid any longer: the app was removed", ...REMOVE_TOKEN },
    { code: 'ExpiredToken', meaning: 'The device token has expired', ...REMOVE_TOKEN },
    {
      code: 'DeviceTokenNotForTopic',
      meaning: "The device token belongs to another app than the integration's bundle ID",
      ...fix('setup', 'Correct the bundle ID in the integration.'),
    },
    { code: 'MissingDeviceToken', meaning: 'The request has no device token', ...FIX_TOKEN },
    {
      code: 'BadTopic',
      meaning: "The bundle ID (apns-topic) isn't valid",
      ...fix('setup', 'Correct the bundle ID in the integration.'),
    },
    {
      code: 'TopicDisallowed',
      meaning: 'The key or certificate may not send to this bundle ID',
      ...fix('credentials', "Correct the bundle ID, or use a key of that app's team."),
    },
    {
      code: 'MissingTopic',
      meaning: 'The request names no bundle ID (apns-topic)',
      ...fix('setup', 'Set the bundle ID in the integration.'),
    },
    { code: 'BadCertificate', meaning: 'Apple refused the push certificate', ...ROTATE_KEY },
    {
      code: 'BadCertificateEnvironment',
      meaning: 'The push certificate is for the other environment (sandbox or production)',
      ...fix('credentials', "Use the certificate of the app's environment, or a token key."),
    },
    {
      code: 'ExpiredProviderToken',
      meaning: "Our token for APNs is older than an hour: the service's clock may be wrong",
      ...after(5, 'credentials', 'Check the clock of the service.'),
    },
    {
      code: 'InvalidProviderToken',
      meaning: "Apple refused our token for APNs: key ID, team ID or key don't fit",
      ...fix('credentials', 'Check key, key ID and team ID in the integration.'),
    },
    {
      code: 'MissingProviderToken',
      meaning: 'The request has neither a certificate nor a token',
      ...fix('credentials', 'Enter key, key ID and team ID in the integration.'),
    },
    {
      code: ['UnrelatedKeyIdInToken', 'BadEnvironmentKeyInToken'],
      meaning: "The APNs key isn't for this app, team or environment",
      ...fix('credentials', 'Use a key that covers the app and its environment.'),
    },
    { code: 'Forbidden', meaning: "Apple doesn't allow this action", ...ROTATE_KEY },
    {
      code: 'PayloadTooLarge',
      meaning: 'The notification is larger than the 4,096 bytes that APNs accepts',
      ...SHORTEN,
    },
    { code: 'PayloadEmpty', meaning: 'The notification has no content', ...FIX_CONTENT },
    { code: 'BadMessageId', meaning: "The notification's ID isn't a UUID", ...FIX_OVERRIDES },
    { code: 'BadPriority', meaning: "The notification's priority is neither 1, 5 nor 10", ...FIX_OVERRIDES },
    { code: 'BadExpirationDate', meaning: "The notification's expiration isn't valid", ...FIX_OVERRIDES },
    { code: 'BadCollapseId', meaning: "The notification's collapse ID is longer than 64 bytes", ...FIX_OVERRIDES },
    { code: 'InvalidPushType', meaning: "The notification's push type isn't valid", ...FIX_OVERRIDES },
    { code: 'DuplicateHeaders', meaning: 'The request has a header twice', ...FIX_OVERRIDES },
    {
      code: ['BadPath', 'MethodNotAllowed'],
      meaning: "The request to APNs isn't well-formed",
      ...fix('provider', ASK_PROVIDER),
    },
    { code: 'IdleTimeout', meaning: 'The connection to APNs was idle for too long', ...wait(5, 'network') },
    {
      code: 'TooManyProviderTokenUpdates',
      meaning: 'Our token for APNs was renewed more often than every 20 minutes',
      ...wait(20, 'limits'),
    },
    {
      code: 'TooManyRequests',
      meaning: 'More notifications in a row were sent to this device than Apple allows',
      ...after(60, 'limits', 'Send fewer notifications to one device.'),
    },
    { code: 'InternalServerError', meaning: 'APNs had an error of its own', ...wait(5) },
    { code: ['ServiceUnavailable', 'Shutdown'], meaning: 'APNs is unavailable or shutting down', ...wait(15) },
  ],
});
