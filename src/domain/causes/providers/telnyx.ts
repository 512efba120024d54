import { catalogue } from '../entry.ts';
import {
  after,
  askProvider,
  CHECK_SETTINGS,
  FIX_CONTENT,
  FIX_NUMBER,
  FIX_SENDER,
  fix,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  slowDown,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://developers.telnyx.com/docs/messaging/messages/error-codes/index';
const API_ERRORS = 'https://developers.telnyx.com/development/api-fundamentals/api-errors';
const SUPPORT = 'https://support.telnyx.com/en/articles/6505121-telnyx-messaging-error-codes';

/** Errors of Telnyx. */
export const telnyx = catalogue({
  scope: { providers: ['telnyx'] },
  codes: 'own',
  hosts: ['developers.telnyx.com', 'support.telnyx.com'],
  source: (code) => {
    if (code.startsWith('403')) return SUPPORT;
    return code.startsWith('1') ? API_ERRORS : ERRORS;
  },
  entries: [
    { code: '10001', meaning: 'The sending number is inactive', ...FIX_SENDER },
    { code: '10002', meaning: "The phone number isn't valid", ...FIX_NUMBER },
    {
      code: '10004',
      meaning: 'A field that Telnyx needs is missing',
      ...fix('setup', "See the error's text for the field, and check the integration's settings."),
    },
    { code: '10005', meaning: 'Telnyx found nothing at the address of this request', ...CHECK_SETTINGS },
    { code: '10007', meaning: 'Telnyx had an error of its own', ...wait(5) },
    { code: '10008', meaning: 'The request to Telnyx timed out', ...wait(5) },
    { code: '10009', meaning: 'Telnyx refused the API key', ...ROTATE_KEY },
    {
      code: '10010',
      meaning: "The Telnyx API key isn't allowed to do this",
      ...fix('credentials', "Check the key's permissions at Telnyx."),
    },
    { code: '10011', meaning: "More requests were sent than Telnyx's rate limit allows", ...slowDown(5) },
    {
      code: '10015',
      meaning: 'Telnyx refused the request as malformed',
      ...fix('content', "See the error's text for the field."),
    },
    { code: '10016', meaning: "The phone number isn't in E.164 format", ...FIX_NUMBER },
    { code: '40001', meaning: "The recipient's number is a landline or can't be routed to", ...FIX_NUMBER },
    {
      code: '40002',
      meaning: 'A spam filter stopped the message for now',
      ...after(60, 'content', 'Send more slowly and change the content.'),
    },
    {
      code: '40003',
      meaning: 'A spam filter blocks the sending number for good',
      ...fix('setup', 'Use another sender, or appeal at Telnyx.'),
    },
    {
      code: '40004',
      meaning: "The recipient's carrier rejected the message without a reason",
      ...askProvider(60, 'recipient'),
    },
    { code: '40005', meaning: "The message's validity ran out on its way", ...wait(15) },
    { code: '40006', meaning: "The recipient's carrier can't be reached at the moment", ...wait(15) },
    { code: '40008', meaning: "The recipient's carrier didn't accept the message", ...FIX_NUMBER, again: 60 },
    { code: '40009', meaning: "The carrier refused the message's content", ...FIX_CONTENT },
    { code: '40011', meaning: "The carrier's rate limit is used up, so it took the message for spam", ...slowDown(15) },
    { code: '40012', meaning: "The carrier refused the recipient's number", ...FIX_NUMBER },
    {
      code: '40013',
      meaning: 'The carrier refused the sending number',
      ...fix('setup', 'Check that the sender is active and may send messages.'),
    },
    { code: '40014', meaning: 'The message waited in the queue past its validity', ...slowDown(15) },
    { code: '40015', meaning: "Telnyx's spam filter stopped the message", ...FIX_CONTENT },
    {
      code: '40300',
      meaning: "The recipient replied STOP, so Telnyx doesn't send to them from this sender",
      ...RESPECT_OPT_OUT,
    },
    { code: '40305', meaning: "The sender isn't valid or isn't on the messaging profile", ...FIX_SENDER },
    { code: '40310', meaning: "The recipient's number isn't valid", ...FIX_NUMBER },
    {
      code: '40312',
      meaning: 'The messaging profile is disabled',
      ...fix('setup', 'Enable the messaging profile at Telnyx.'),
    },
    { code: '40318', meaning: 'Too many messages wait in the queue', ...slowDown(15) },
  ],
});
