import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  FIX_ADDRESS,
  FIX_SENDER,
  fix,
  REPUTATION,
  RESPECT_OPT_OUT,
  slowDown,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://documentation.mailgun.com/docs/mailgun/api-reference/mg-errors';
const EVENTS = 'https://documentation.mailgun.com/docs/mailgun/user-manual/events/events';
const BOUNCES = 'https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Bounces/';
const MESSAGES = 'https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages/';

/** Errors of Mailgun. */
export const mailgun = catalogue({
  scope: { providers: ['mailgun'] },
  codes: 'own',
  hosts: ['documentation.mailgun.com', 'help.mailgun.com', 'www.mailgun.com'],
  source: EVENTS,
  entries: [
    {
      code: '401',
      text: 'invalid private key',
      meaning: 'Mailgun refused the API key, or the key belongs to the other region (US or EU)',
      ...fix('credentials', "Check key and region in the provider's integration."),
      source: ERRORS,
    },
    {
      code: '404',
      meaning: 'Mailgun knows no such sending domain in this account and region',
      ...fix('setup', "Check domain and region in the provider's integration."),
      source: ERRORS,
    },
    {
      text: ['sandbox subdomains are for test purposes only', 'free accounts are for test purposes only'],
      meaning: 'A Mailgun sandbox domain or free account sends only to authorized recipients',
      ...fix('setup', 'Use a domain of your own, or authorize the recipient at Mailgun.'),
      source: MESSAGES,
    },
    {
      text: ["'to' parameter is not a valid address", 'to parameter is not a valid address'],
      meaning: "The recipient's address isn't well-formed",
      ...FIX_ADDRESS,
      source: MESSAGES,
    },
    {
      text: ["'from' parameter is not a valid address", 'from parameter is not a valid address'],
      meaning: "The sender's address isn't well-formed",
      ...FIX_SENDER,
      source: MESSAGES,
    },
    {
      text: ['not allowed to send: the domain is unverified', 'domain is not allowed to send'],
      meaning: "The Mailgun domain isn't verified or is disabled",
      ...fix('setup', 'Verify the domain at Mailgun.'),
      source: MESSAGES,
    },
    {
      code: ['605', 'suppress-bounce'],
      text: 'not delivering to previously bounced address',
      meaning: "Mailgun didn't send: the address bounced before",
      ...fix('recipient', "Correct the address, or remove it from Mailgun's bounces."),
      source: BOUNCES,
    },
    {
      code: ['606', 'suppress-unsubscribe'],
      text: 'not delivering to unsubscribed address',
      meaning: "Mailgun didn't send: the recipient unsubscribed",
      ...RESPECT_OPT_OUT,
    },
    {
      code: ['607', 'suppress-complaint'],
      text: 'not delivering to a user who marked your messages as spam',
      meaning: "Mailgun didn't send: the recipient reported an earlier email as spam",
      ...RESPECT_OPT_OUT,
    },
    {
      code: '602',
      text: 'too old',
      meaning: "Mailgun gave up after trying for hours: the recipient's mail server kept putting the email off",
      ...ASK_RECIPIENT,
      again: 720,
    },
    { code: 'espblock', meaning: "The recipient's email provider blocks this sender", ...REPUTATION },
    {
      code: 'greylisted',
      meaning: "The recipient's mail server puts the email off for now (greylisting)",
      ...wait(30),
    },
    {
      code: '429',
      meaning: "More requests were sent than Mailgun's rate limit allows",
      ...slowDown(5),
      source: ERRORS,
    },
  ],
});
