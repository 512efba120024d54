import { catalogue } from '../entry.ts';
import {
  askProvider,
  CHECK_NUMBER_LATER,
  FIX_CONTENT,
  FIX_NUMBER,
  FIX_SENDER,
  fix,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  SHORTEN,
  slowDown,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://plivo.com/docs/messaging/troubleshooting/error-codes';
const API = 'https://plivo.com/docs/voice/api/response';

/** Errors of Plivo. */
export const plivo = catalogue({
  scope: { providers: ['plivo'] },
  codes: 'own',
  hosts: ['www.plivo.com', 'plivo.com', 'support.plivo.com'],
  source: ERRORS,
  entries: [
    { code: 'errorcode=10', meaning: 'A carrier refused the message as not valid', ...FIX_CONTENT },
    { code: 'errorcode=20', meaning: "The carrier's network failed", ...wait(15) },
    {
      code: 'errorcode=30',
      meaning: "A carrier's spam filter stopped the message",
      ...fix('content', 'Change the content or the sender.'),
    },
    {
      code: 'errorcode=40',
      meaning: "The sending number is malformed, can't send SMS or isn't this account's",
      ...FIX_SENDER,
    },
    { code: 'errorcode=50', meaning: "The recipient's number isn't valid", ...FIX_NUMBER },
    { code: 'errorcode=60', meaning: 'The message went in circles', ...FIX_NUMBER },
    { code: 'errorcode=70', meaning: "The recipient's number can't be reached for good", ...FIX_NUMBER },
    { code: 'errorcode=80', meaning: "The recipient's number can't be reached at the moment", ...CHECK_NUMBER_LATER },
    { code: 'errorcode=90', meaning: 'Plivo has no route to this number', ...askProvider(60) },
    {
      code: 'errorcode=100',
      meaning: "The carrier doesn't allow this message",
      ...fix('setup', "Register sender and content in the recipient's country."),
    },
    { code: 'errorcode=110', meaning: 'The message is too long', ...SHORTEN },
    {
      code: 'errorcode=200',
      meaning: "The recipient replied STOP, so Plivo doesn't send to them from this sender",
      ...RESPECT_OPT_OUT,
    },
    { code: 'errorcode=300', meaning: "Plivo couldn't hand the message to a carrier", ...wait(15) },
    { code: 'errorcode=420', meaning: "The message's validity ran out before it was sent", ...slowDown(15) },
    {
      code: 'errorcode=450',
      text: 'destination country barred',
      meaning: "The recipient's country isn't enabled in the account's geo permissions",
      ...fix('setup', "Enable the country in Plivo's geo permissions."),
    },
    {
      code: ['errorcode=900', '900'],
      text: 'insufficient credit',
      meaning: 'The Plivo account has no credit left',
      ...TOP_UP,
      source:
        'https://support.plivo.com/support/solutions/articles/17000088423-what-happens-to-my-outbound-messages-if-i-don-t-have-sufficient-balance-in-my-plivo-account-',
    },
    { code: 'errorcode=1000', meaning: 'The carrier gave no reason', ...askProvider(60) },
    { code: '401', meaning: 'Plivo refused the Auth ID or token', ...ROTATE_KEY, source: API },
    { code: '429', meaning: "More requests were sent than Plivo's rate limit allows", ...slowDown(5), source: API },
  ],
});
