import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  after,
  CHECK_NUMBER_LATER,
  FIX_CONTENT,
  FIX_NUMBER,
  fix,
  REMOVE_TOKEN,
  RESPECT_OPT_OUT,
  wait,
} from '../next-steps.ts';

const SMS = 'https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html';
const PUBLISH = 'https://docs.aws.amazon.com/sns/latest/api/API_Publish.html';

/** Errors of Amazon SNS. */
export const sns = catalogue({
  scope: { providers: ['sns'] },
  codes: 'own',
  hosts: ['docs.aws.amazon.com'],
  source: SMS,
  entries: [
    {
      text: 'blocked as spam by phone carrier',
      meaning: 'The carrier took the message for spam',
      ...fix('content', 'Change the content or the sender.'),
    },
    {
      text: ['destination is on a blocked list', 'phone is on a blocked list'],
      meaning: "The recipient's number is on a block list",
      ...ASK_RECIPIENT,
    },
    { text: 'invalid phone number', meaning: "The recipient's number isn't valid", ...FIX_NUMBER },
    { text: 'message body is invalid', meaning: "The message's body isn't valid", ...FIX_CONTENT },
    {
      text: 'phone carrier has blocked this message',
      meaning: 'The carrier blocked the message',
      ...fix('content', "Change the content or the sender, and register it in the recipient's country."),
    },
    {
      text: 'phone carrier is currently unreachable/unavailable',
      meaning: "The carrier can't be reached at the moment",
      ...wait(15),
    },
    { text: 'phone has blocked sms', meaning: "The recipient's phone takes no SMS", ...ASK_RECIPIENT },
    {
      text: 'phone is currently unreachable/unavailable',
      meaning: "The recipient's phone is off or out of reach",
      ...CHECK_NUMBER_LATER,
    },
    {
      text: 'phone number is opted out',
      meaning: 'The recipient opted out of messages from this AWS account',
      ...RESPECT_OPT_OUT,
    },
    {
      text: 'this delivery would exceed max price',
      meaning: 'The message costs more than the highest price that was set',
      ...fix('limits', "Raise the highest price in SNS or in the step's overrides."),
    },
    {
      text: 'unknown error attempting to reach phone',
      meaning: 'The carrier gave no reason',
      ...after(60, 'provider', 'Try again later; if it goes on, check the number.'),
    },
    {
      text: 'no quota left for account',
      meaning: 'The AWS account spent as much on SMS this month as it may',
      ...fix('limits', 'Ask AWS for a higher monthly spend limit.'),
    },
    {
      code: ['OptedOut', 'OptedOutException'],
      meaning: 'The recipient opted out of messages from this AWS account',
      ...RESPECT_OPT_OUT,
      source: 'https://docs.aws.amazon.com/sns/latest/dg/sms_manage.html',
    },
    {
      code: ['EndpointDisabled', 'EndpointDisabledException'],
      meaning: "The push endpoint is disabled: its device token isn't valid any longer",
      ...REMOVE_TOKEN,
      source: PUBLISH,
    },
    {
      code: ['PlatformApplicationDisabled', 'PlatformApplicationDisabledException'],
      meaning: "The push platform application is disabled: its credentials don't work",
      ...fix('credentials', "Renew the platform application's credentials in SNS."),
      source: PUBLISH,
    },
    {
      code: ['KMSDisabled', 'KMSAccessDenied', 'KMSInvalidState', 'KMSNotFound', 'KMSThrottling', 'KMSOptInRequired'],
      meaning: "SNS can't use the topic's encryption key",
      ...fix('setup', 'Check the KMS key and its policy.'),
      source: PUBLISH,
    },
  ],
});
