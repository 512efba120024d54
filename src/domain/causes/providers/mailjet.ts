import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  FIX_ADDRESS,
  FIX_CONTENT,
  fix,
  never,
  REPUTATION,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  wait,
} from '../next-steps.ts';

const SEND_API = 'https://dev.mailjet.com/email/guides/send-api-v31/';
const WEBHOOKS = 'https://dev.mailjet.com/email/guides/webhooks/';

/** Errors of Mailjet. */
export const mailjet = catalogue({
  scope: { providers: ['mailjet'] },
  codes: 'own',
  hosts: ['dev.mailjet.com', 'documentation.mailjet.com'],
  source: WEBHOOKS,
  entries: [
    {
      code: '401',
      meaning: 'Mailjet refused the API key or its secret',
      ...ROTATE_KEY,
      source: 'https://dev.mailjet.com/email/reference/overview/authentication/',
    },
    {
      code: 'mj-0013',
      text: 'is an invalid email address',
      meaning: "An address of the email isn't a valid email address",
      ...FIX_ADDRESS,
      source: SEND_API,
    },
    {
      code: 'send-0008',
      text: 'is not an authorized sender email address for your account',
      meaning: "The sender address isn't verified at Mailjet",
      ...fix('setup', 'Verify the sender or its domain at Mailjet.'),
      source: SEND_API,
    },
    {
      code: 'send-0003',
      text: 'textpart or templateid must be provided',
      meaning: 'The email has no content',
      ...FIX_CONTENT,
      source: SEND_API,
    },
    { text: 'mailbox inactive', meaning: "The recipient's mailbox is inactive", ...ASK_RECIPIENT },
    { text: 'quota exceeded', meaning: "The recipient's mailbox is full", ...ASK_RECIPIENT, again: 720 },
    {
      text: 'spam reporter',
      meaning: "Mailjet didn't send: the recipient reported an earlier email as spam",
      ...RESPECT_OPT_OUT,
    },
    { text: 'invalid domain', meaning: "The recipient's domain doesn't exist", ...FIX_ADDRESS },
    { text: 'no mail host', meaning: "The recipient's domain names no mail server", ...FIX_ADDRESS },
    {
      text: 'relay/access denied',
      meaning: "The recipient's mail server denies access to the sender",
      ...REPUTATION,
      whose: 'recipient',
    },
    { code: 'typofix', meaning: "The recipient's domain looks mistyped, so Mailjet didn't send", ...FIX_ADDRESS },
    {
      code: 'greylisted',
      meaning: "The recipient's mail server puts the email off for now (greylisting)",
      ...wait(30),
    },
    {
      code: 'preblocked',
      meaning: "Mailjet didn't send: the address bounced for others lately, or the account is under watch",
      ...FIX_ADDRESS,
    },
    { code: 'blacklisted', meaning: 'The sending address or server is on a block list', ...REPUTATION },
    { text: 'sender blocked', meaning: "The recipient's mail system blocks this sender", ...REPUTATION },
    { text: 'content blocked', meaning: "The recipient's mail system refused the email's content", ...FIX_CONTENT },
    {
      text: 'policy issue',
      meaning: "The recipient's mail system refused the email by its policy",
      ...REPUTATION,
      whose: 'recipient',
    },
    { text: 'bad or empty template', meaning: 'The Mailjet template is empty or broken', ...FIX_CONTENT },
    { text: 'error in template language', meaning: 'The Mailjet template has an error', ...FIX_CONTENT },
    {
      text: 'duplicate in campaign',
      meaning: 'The recipient got this campaign already',
      ...never('nobody', 'Nothing to fix: Mailjet sends a campaign to an address once.'),
    },
  ],
});
