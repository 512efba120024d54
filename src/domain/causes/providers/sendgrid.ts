import { catalogue } from '../entry.ts';
import {
  FIX_ADDRESS,
  FIX_CONTENT,
  fix,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  SEND_SMALLER,
  slowDown,
  TOP_UP,
} from '../next-steps.ts';

const ERRORS =
  'https://support.sendgrid.com/hc/en-us/articles/18322114821403-4XX-API-Errors-and-Troubleshooting-Suggestions';
const SENDER_IDENTITY = 'https://www.twilio.com/docs/sendgrid/for-developers/sending-email/sender-identity';
const EVENTS = 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event';
const MAIL_SEND = 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send';

/** Errors of SendGrid. */
export const sendgrid = catalogue({
  scope: { providers: ['sendgrid'] },
  codes: 'own',
  hosts: ['www.twilio.com', 'support.sendgrid.com'],
  source: MAIL_SEND,
  entries: [
    {
      code: '401',
      text: ['the provided authorization grant is invalid, expired, or revoked', 'authorization required'],
      meaning: "SendGrid refused the API key: it's wrong, deleted or expired",
      ...ROTATE_KEY,
      source: ERRORS,
    },
    {
      text: 'maximum credits exceeded',
      meaning: 'The SendGrid account used up the emails of its plan',
      ...TOP_UP,
      source: ERRORS,
    },
    {
      code: '403',
      text: 'access forbidden',
      meaning: "The SendGrid API key lacks a permission, or the account isn't allowed to do this",
      ...fix('credentials', 'Give the API key the Mail Send permission.'),
      source: ERRORS,
    },
    {
      text: 'the from address does not match a verified sender identity',
      meaning: "The sender address isn't verified at SendGrid",
      ...fix('setup', 'Verify the sender or authenticate its domain at SendGrid, or change the sender.'),
      source: SENDER_IDENTITY,
    },
    {
      text: 'does not contain a valid address',
      meaning: "An address of the email isn't a valid email address",
      ...FIX_ADDRESS,
      source: ERRORS,
    },
    {
      text: 'each email address in the personalization block should be unique between to, cc, and bcc',
      meaning: 'The same address is in To, Cc or Bcc twice',
      ...fix('content', "Remove the repeated address from the step's overrides."),
    },
    {
      text: ['the template_id must be a valid guid', 'the template_id is not a valid template id'],
      meaning: "The SendGrid template's ID isn't one",
      ...fix('setup', "Correct the template ID in the step's overrides."),
    },
    {
      text: 'the subject is required',
      meaning: 'The email has no subject',
      ...fix('content', "Give the step a subject, and check that its variables aren't empty."),
    },
    {
      text: 'the content value must be a string at least one character in length',
      meaning: 'The email has no content',
      ...FIX_CONTENT,
    },
    {
      text: 'the from object must be provided for every email send',
      meaning: 'The integration has no sender address',
      ...fix('setup', "Set the sender in the provider's integration."),
    },
    { code: '413', meaning: 'The email is larger than the 30 MB that SendGrid accepts', ...SEND_SMALLER },
    {
      code: '429',
      meaning: "More requests were sent than SendGrid's rate limit allows",
      ...slowDown(5),
      source: ERRORS,
    },
    {
      text: 'bounced address',
      meaning: "SendGrid dropped the email: the address bounced before, so it's on the bounce list",
      ...fix('recipient', "Correct the address, or remove it from SendGrid's bounce list."),
      source: EVENTS,
    },
    {
      text: 'unsubscribed address',
      meaning: 'SendGrid dropped the email: the recipient unsubscribed',
      ...RESPECT_OPT_OUT,
      source: EVENTS,
    },
    {
      text: 'spam reporting address',
      meaning: 'SendGrid dropped the email: the recipient reported an earlier one as spam',
      ...RESPECT_OPT_OUT,
      source: EVENTS,
    },
    {
      text: 'recipient list over package quota',
      meaning: 'The email has more recipients than the SendGrid plan allows',
      ...TOP_UP,
      source: EVENTS,
    },
    {
      text: 'spam content',
      meaning: 'SendGrid dropped the email: its spam check found too much in it',
      ...FIX_CONTENT,
      source: EVENTS,
    },
    {
      text: 'invalid smtpapi header',
      meaning: "The email's X-SMTPAPI header isn't valid JSON",
      ...fix('setup', "Correct the header in the step's overrides."),
      source: EVENTS,
    },
  ],
});
