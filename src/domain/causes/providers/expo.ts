import { catalogue } from '../entry.ts';
import { after, FIX_TOKEN, fix, REMOVE_TOKEN, SHORTEN, slowDown } from '../next-steps.ts';

const ERRORS = 'https://docs.expo.dev/push-notifications/sending-notifications/';

/** Errors of Expo. */
export const expo = catalogue({
  scope: { providers: ['expo'] },
  codes: 'own',
  hosts: ['docs.expo.dev'],
  source: ERRORS,
  entries: [
    {
      code: 'DeviceNotRegistered',
      text: 'is not a registered push notification recipient',
      meaning: 'The device takes no notifications of this app any longer: it was removed, or they were turned off',
      ...REMOVE_TOKEN,
    },
    { text: 'is not a valid expo push token', meaning: "The device token isn't an Expo push token", ...FIX_TOKEN },
    { code: 'MessageTooBig', meaning: 'The notification is larger than the 4,096 bytes that Expo accepts', ...SHORTEN },
    {
      code: 'MessageRateExceeded',
      meaning: 'More notifications were sent to this device than Expo allows',
      ...after(15, 'limits', 'Send fewer notifications to one device.'),
    },
    {
      code: 'MismatchSenderId',
      meaning: 'The FCM credentials at Expo belong to another Firebase project than the app',
      ...fix('credentials', "Upload the FCM credentials of the app's project to Expo."),
    },
    {
      code: 'InvalidCredentials',
      meaning: "The app's push credentials at Expo aren't valid any longer",
      ...fix('credentials', "Renew the app's push credentials at Expo."),
    },
    {
      code: 'TOO_MANY_REQUESTS',
      meaning: 'More notifications a second were sent than Expo allows for a project',
      ...slowDown(1),
    },
    {
      code: 'PUSH_TOO_MANY_EXPERIENCE_IDS',
      meaning: 'One request had device tokens of several Expo projects',
      ...fix('setup', 'Use an integration for each Expo project.'),
    },
    {
      code: ['PUSH_TOO_MANY_NOTIFICATIONS', 'PUSH_TOO_MANY_RECEIPTS'],
      meaning: 'One request had more notifications than Expo takes at once',
      ...fix('limits', 'Send to fewer devices at a time.'),
    },
  ],
});
