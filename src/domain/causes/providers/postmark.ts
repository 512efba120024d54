import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  FIX_ADDRESS,
  FIX_CONTENT,
  FIX_OVERRIDES,
  fix,
  REPUTATION,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  slowDown,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://postmarkapp.com/developer/api/overview#error-codes';
const BOUNCES = 'https://postmarkapp.com/developer/api/bounce-api#bounce-types';
const INVALID_EMAIL = 'https://postmarkapp.com/support/article/1180-what-does-errorcode-300-mean';

/** Errors of Postmark. */
export const postmark = catalogue({
  scope: { providers: ['postmark'] },
  codes: 'own',
  hosts: ['postmarkapp.com'],
  source: (code) => (/^[A-Z]/.test(code) ? BOUNCES : ERRORS),
  entries: [
    {
      code: ['errorcode=10', 'code=10'],
      text: [
        'no account or server api tokens were supplied',
        'the server token you provided in the x-postmark-server-token request header was invalid',
      ],
      meaning: 'Postmark refused the server token, or there is none',
      ...ROTATE_KEY,
    },
    { code: ['errorcode=100', 'code=100'], meaning: 'Postmark is down for maintenance', ...wait(15) },
    {
      code: ['300', 'errorcode=300'],
      isBroad: true,
      meaning:
        "Postmark refused a field of the email: an address isn't well-formed, the body is empty, or there are more than 50 recipients",
      ...fix('content', "See the error's text, and correct the address or the step."),
      source: INVALID_EMAIL,
    },
    {
      code: ['400', 'errorcode=400', 'code=400'],
      text: "the 'from' address you supplied",
      meaning: 'The sender address has no sender signature or verified domain at Postmark',
      ...fix('setup', 'Add the sender signature or domain at Postmark.'),
    },
    {
      code: ['errorcode=401', 'code=401'],
      meaning: "The sender signature at Postmark isn't confirmed",
      ...fix('setup', 'Confirm the sender signature at Postmark.'),
    },
    {
      code: ['402', 'errorcode=402', 'errorcode=403', 'code=403'],
      meaning: "Postmark couldn't read the request: its JSON isn't as it expects",
      ...FIX_OVERRIDES,
    },
    {
      code: ['405', 'errorcode=405'],
      text: 'not allowed to send',
      meaning: 'The Postmark account ran out of credits',
      ...TOP_UP,
    },
    {
      code: ['406', 'errorcode=406'],
      text: [
        'you tried to send to recipient(s) that have been marked as inactive',
        'you tried to send to a recipient that has been marked as inactive',
      ],
      meaning: "Postmark didn't send: the address bounced hard, complained or was deactivated before",
      ...fix('recipient', 'Correct the address, or reactivate it at Postmark.'),
    },
    {
      code: ['410', 'errorcode=410'],
      meaning: 'More emails were sent in one request than Postmark accepts',
      ...fix('limits', 'Send fewer messages at a time.'),
    },
    {
      code: ['411', 'errorcode=411'],
      meaning: "Postmark doesn't send attachments of this type",
      ...fix('content', 'Send another type of file, or link to it.'),
    },
    {
      code: ['412', 'errorcode=412'],
      meaning: "The Postmark account isn't approved yet, so it sends only to its own domain",
      ...fix('setup', 'Ask Postmark to approve the account.'),
    },
    {
      code: ['413', 'errorcode=413'],
      meaning: 'The Postmark account may not send',
      ...fix('limits', "Ask Postmark's support why."),
    },
    {
      code: ['429', 'errorcode=429'],
      meaning: "More requests were sent than Postmark's rate limit allows",
      ...slowDown(5),
    },
    {
      code: 'HardBounce',
      meaning: "The recipient's mail server refused the email for good: the mailbox doesn't exist or is disabled",
      ...FIX_ADDRESS,
    },
    {
      code: 'SoftBounce',
      meaning: "The recipient's mail server refused the email for now: the mailbox may be full or the server down",
      ...ASK_RECIPIENT,
      again: 60,
    },
    {
      code: 'Transient',
      meaning: "The recipient's mail server couldn't take the email yet; Postmark tries again",
      ...wait(60),
    },
    { code: 'DnsError', meaning: "The recipient's domain couldn't be looked up", ...FIX_ADDRESS, again: 60 },
    {
      code: 'SpamNotification',
      meaning: "The recipient's mail system took the email for spam",
      ...REPUTATION,
      whose: 'content',
    },
    { code: 'SpamComplaint', meaning: 'The recipient reported the email as spam', ...RESPECT_OPT_OUT },
    { code: 'Blocked', meaning: "The recipient's mail system blocks this sender", ...REPUTATION },
    { code: 'BadEmailAddress', meaning: "The recipient's address isn't a valid email address", ...FIX_ADDRESS },
    {
      code: 'ManuallyDeactivated',
      meaning: 'Somebody deactivated this address at Postmark',
      ...fix('recipient', 'Reactivate the address at Postmark if that was wrong.'),
    },
    {
      code: 'DMARCPolicy',
      meaning: "The sender's DMARC policy made the recipient's mail system refuse the email",
      ...fix('setup', 'Set up DKIM and Return-Path for the sending domain at Postmark.'),
    },
    {
      code: 'SMTPApiError',
      meaning: "The email's SMTP request had an error",
      ...fix('content', "See the error's text, and correct the step."),
    },
    {
      code: 'VirusNotification',
      meaning: "The recipient's mail system found a virus in the email or its attachment",
      ...fix('content', 'Check the attachment.'),
    },
    { code: 'TemplateRenderingFailed', meaning: "Postmark couldn't render the template", ...FIX_CONTENT },
  ],
});
