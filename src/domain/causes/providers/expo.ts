import { catalogue } from '../entry.ts';
import { FIX_TOKEN, REMOVE_TOKEN, SHORTEN, SLOW_DOWN } from '../next-steps.ts';

const ERRORS = 'https://docs.expo.dev/push-notifications/sending-notifications/';

/** Errors of Expo. */
export const expo = catalogue({
  scope: { providers: ['expo'] },
  codes: 'own',
  hosts: ['docs.expo.dev'],
  entries: [
    {
      code: 'DeviceNotRegistered',
      text: 'is not a registered push notification recipient',
      meaning: 'The device takes no notifications of this app any longer: it was removed, or they were turned off',
      whose: 'recipient',
      again: 'once-fixed',
      next: REMOVE_TOKEN,
      source: ERRORS,
    },
    {
      text: 'is not a valid expo push token',
      meaning: "The device token isn't an Expo push token",
      whose: 'recipient',
      again: 'once-fixed',
      next: FIX_TOKEN,
      source: ERRORS,
    },
    {
      code: 'MessageTooBig',
      meaning: 'The notification is larger than the 4,096 bytes that Expo accepts',
      whose: 'content',
      again: 'once-fixed',
      next: SHORTEN,
      source: ERRORS,
    },
    {
      code: 'MessageRateExceeded',
      meaning: 'More notifications were sent to this device than Expo allows',
      whose: 'limits',
      again: 15,
      next: 'Send fewer notifications to one device.',
      source: ERRORS,
    },
    {
      code: 'MismatchSenderId',
      meaning: 'The FCM credentials at Expo belong to another Firebase project than the app',
      whose: 'credentials',
      again: 'once-fixed',
      next: "Upload the FCM credentials of the app's project to Expo.",
      source: ERRORS,
    },
    {
      code: 'InvalidCredentials',
      meaning: "The app's push credentials at Expo aren't valid any longer",
      whose: 'credentials',
      again: 'once-fixed',
      next: "Renew the app's push credentials at Expo.",
      source: ERRORS,
    },
    {
      code: 'TOO_MANY_REQUESTS',
      meaning: 'More notifications a second were sent than Expo allows for a project',
      whose: 'limits',
      again: 1,
      next: SLOW_DOWN,
      source: ERRORS,
    },
    {
      code: 'PUSH_TOO_MANY_EXPERIENCE_IDS',
      meaning: 'One request had device tokens of several Expo projects',
      whose: 'setup',
      again: 'once-fixed',
      next: 'Use an integration for each Expo project.',
      source: ERRORS,
    },
    {
      code: ['PUSH_TOO_MANY_NOTIFICATIONS', 'PUSH_TOO_MANY_RECEIPTS'],
      meaning: 'One request had more notifications than Expo takes at once',
      whose: 'limits',
      again: 'once-fixed',
      next: 'Send to fewer devices at a time.',
      source: ERRORS,
    },
  ],
});
