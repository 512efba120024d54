import { catalogue } from '../entry.ts';
import {
  after,
  FIX_CONTENT,
  FIX_TOKEN,
  fix,
  REMOVE_TOKEN,
  ROTATE_KEY,
  SHORTEN,
  slowDown,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://firebase.google.com/docs/cloud-messaging/error-codes';
const TOKENS = 'https://firebase.google.com/docs/cloud-messaging/manage-tokens';
const CREDENTIALS = 'https://firebase.google.com/docs/cloud-messaging/auth-server';

/** Errors of Firebase Cloud Messaging. */
export const fcm = catalogue({
  scope: { providers: ['fcm'] },
  codes: 'own',
  hosts: ['firebase.google.com'],
  source: ERRORS,
  entries: [
    {
      code: ['UNREGISTERED', 'NotRegistered', 'messaging/registration-token-not-registered'],
      text: 'requested entity was not found',
      meaning: "The device token isn't valid any longer: the app was removed, its data cleared, or the token replaced",
      ...REMOVE_TOKEN,
      source: TOKENS,
    },
    {
      code: ['messaging/invalid-registration-token', 'InvalidRegistration'],
      text: 'the registration token is not a valid fcm registration token',
      meaning: "The device token isn't one of FCM: it's cut off, or another service's",
      ...FIX_TOKEN,
    },
    {
      code: ['INVALID_ARGUMENT', 'messaging/invalid-argument'],
      isBroad: true,
      meaning: 'FCM refused a field of the message, or the device token',
      ...fix('content', "See the error's text for the field; if it's the token, replace it."),
    },
    {
      code: 'messaging/invalid-recipient',
      meaning: 'The message names no recipient that FCM understands',
      ...FIX_TOKEN,
    },
    {
      code: ['messaging/invalid-payload', 'messaging/invalid-options'],
      meaning: "FCM refused the message's content",
      ...FIX_CONTENT,
    },
    {
      code: 'messaging/invalid-data-payload-key',
      meaning: "The message's data uses a key that FCM keeps for itself",
      ...fix('content', "Rename the key: from, message_type and those that begin with google or gcm aren't allowed."),
    },
    {
      code: 'messaging/payload-size-limit-exceeded',
      text: 'android message is too big',
      meaning: 'The message is larger than the 4,096 bytes that FCM accepts',
      ...SHORTEN,
    },
    {
      code: 'messaging/invalid-package-name',
      meaning: 'The device token belongs to an app with another package name',
      ...fix('setup', "Check the package name in the step's overrides."),
    },
    {
      code: ['SENDER_ID_MISMATCH', 'MismatchSenderId', 'messaging/mismatched-credential'],
      meaning: 'The device token was made for another Firebase project',
      ...fix('credentials', "Use the service account of the app's Firebase project in the integration."),
    },
    {
      code: ['THIRD_PARTY_AUTH_ERROR', 'messaging/third-party-auth-error', 'messaging/invalid-apns-credentials'],
      meaning: "FCM can't reach APNs or web push: the APNs key or certificate is missing or expired",
      ...fix('credentials', 'Upload a current APNs key to the Firebase project.'),
    },
    {
      code: ['messaging/authentication-error', 'UNAUTHENTICATED'],
      meaning: 'FCM refused the service account',
      ...ROTATE_KEY,
      source: CREDENTIALS,
    },
    {
      code: 'PERMISSION_DENIED',
      meaning: "The service account isn't allowed to send, or the FCM API is off",
      ...fix('credentials', 'Enable the Firebase Cloud Messaging API, and give the service account the right to send.'),
      source: CREDENTIALS,
    },
    {
      code: 'invalid_grant',
      text: ['invalid jwt signature', 'error fetching access token: invalid_grant'],
      meaning: "Google refused the service account's key: it was deleted, or the service's clock is wrong",
      ...ROTATE_KEY,
      source: CREDENTIALS,
    },
    {
      code: 'app/invalid-credential',
      text: 'credential implementation provided to initializeapp() via the "credential" property failed to fetch',
      meaning: "Google refused the service account's key: it was deleted, or the service's clock is wrong",
      ...ROTATE_KEY,
      source: CREDENTIALS,
    },
    {
      code: ['QUOTA_EXCEEDED', 'RESOURCE_EXHAUSTED', 'messaging/message-rate-exceeded'],
      meaning: "More messages were sent than FCM's quota allows",
      ...slowDown(1),
    },
    {
      code: 'messaging/device-message-rate-exceeded',
      meaning: 'More messages were sent to this device than FCM allows',
      ...after(60, 'limits', 'Send fewer messages to one device.'),
    },
    {
      code: 'messaging/topics-message-rate-exceeded',
      meaning: "More messages were sent to this topic's subscribers than FCM allows",
      ...slowDown(60),
    },
    {
      code: 'messaging/too-many-topics',
      meaning: 'The device is subscribed to as many topics as FCM allows',
      ...fix('recipient', "Remove the device from topics that it doesn't need."),
    },
    {
      code: ['UNAVAILABLE', 'messaging/server-unavailable'],
      text: 'the service is currently unavailable',
      meaning: 'FCM is overloaded or down',
      ...wait(5),
    },
    {
      code: ['INTERNAL', 'messaging/internal-error', 'messaging/unknown-error'],
      text: 'internal error encountered',
      meaning: 'FCM had an error of its own',
      ...wait(5),
    },
  ],
});
