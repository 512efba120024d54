import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  FIX_ADDRESS,
  fix,
  REPUTATION,
  RESPECT_OPT_OUT,
  SEND_SMALLER,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const BOUNCES = 'https://support.sparkpost.com/docs/deliverability/bounce-classification-codes';
const API_ERRORS = 'https://developers.sparkpost.com/api/#header-errors';

/** Errors of SparkPost. */
export const sparkpost = catalogue({
  scope: { providers: ['sparkpost'] },
  codes: 'own',
  hosts: ['support.sparkpost.com', 'developers.sparkpost.com'],
  source: BOUNCES,
  entries: [
    {
      code: '401',
      meaning: 'SparkPost refused the API key, or the key belongs to the other region (US or EU)',
      ...fix('credentials', "Check key and region in the provider's integration."),
      source: API_ERRORS,
    },
    {
      code: '403',
      meaning: 'The SparkPost API key lacks a permission',
      ...fix('credentials', 'Give the API key the right to send (Transmissions: Read/Write).'),
      source: API_ERRORS,
    },
    {
      code: '7001',
      text: ['unconfigured sending domain', 'unconfigured or unverified sending domain'],
      meaning: "The sender's domain isn't set up at SparkPost",
      ...fix('setup', 'Add and verify the sending domain at SparkPost.'),
      source: API_ERRORS,
    },
    {
      text: 'exceed sending limit',
      meaning: 'The SparkPost account sent as much as its plan allows',
      ...TOP_UP,
      again: 60,
      source: API_ERRORS,
    },
    {
      code: '5002',
      text: 'at least one valid recipient is required',
      meaning: "None of the recipient's addresses is valid",
      ...FIX_ADDRESS,
      source: API_ERRORS,
    },
    {
      text: 'recipient address was suppressed due to customer policy',
      meaning: "SparkPost didn't send: the address is on the account's suppression list",
      ...fix('recipient', 'Correct the address, or remove it from the suppression list.'),
      source: 'https://support.sparkpost.com/docs/deliverability/bounce-classification-codes',
    },
    {
      code: 'bounceclass=1',
      meaning: "The recipient's mail server refused the email, in words that SparkPost doesn't know",
      ...ASK_RECIPIENT,
      again: 60,
    },
    { code: 'bounceclass=10', meaning: "The recipient's address doesn't exist", ...FIX_ADDRESS },
    {
      code: 'bounceclass=20',
      meaning: "The recipient's mail server refused the email for now",
      ...ASK_RECIPIENT,
      again: 60,
    },
    { code: 'bounceclass=21', meaning: "The recipient's domain couldn't be looked up", ...FIX_ADDRESS, again: 60 },
    { code: 'bounceclass=22', meaning: "The recipient's mailbox is full", ...ASK_RECIPIENT, again: 720 },
    { code: 'bounceclass=23', meaning: "The email is larger than the recipient's mailbox accepts", ...SEND_SMALLER },
    {
      code: 'bounceclass=24',
      meaning: "The recipient's mail server didn't answer in time",
      ...ASK_RECIPIENT,
      again: 60,
    },
    {
      code: 'bounceclass=25',
      meaning: "SparkPost didn't send, by a policy or suppression list of the account",
      ...fix('recipient', "Look for the address on the account's suppression list."),
    },
    { code: 'bounceclass=30', meaning: 'No recipient could be determined for the email', ...FIX_ADDRESS },
    {
      code: 'bounceclass=40',
      meaning: "The email failed for a reason that the recipient's mail server didn't give",
      ...ASK_RECIPIENT,
      again: 60,
    },
    { code: 'bounceclass=50', meaning: "The recipient's mail system blocks this sender", ...REPUTATION },
    {
      code: 'bounceclass=51',
      meaning: "The recipient's mail system blocks this sender as a source of spam",
      ...REPUTATION,
    },
    {
      code: 'bounceclass=52',
      meaning: "The recipient's mail system took the email for spam",
      ...REPUTATION,
      whose: 'content',
      again: 'once-fixed',
    },
    {
      code: 'bounceclass=53',
      meaning: "The recipient's mail system refused the email's attachment",
      ...fix('content', 'Send it without attachments, or with another type of file.'),
    },
    { code: 'bounceclass=54', meaning: "The mail server doesn't relay for this sender", ...REPUTATION },
    { code: 'bounceclass=70', meaning: "The recipient's mail server puts the email off for now", ...wait(60) },
    { code: 'bounceclass=90', meaning: 'The recipient asked to be unsubscribed', ...RESPECT_OPT_OUT },
  ],
});
