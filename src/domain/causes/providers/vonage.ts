import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  askProvider,
  CHECK_NUMBER_LATER,
  FIX_CONTENT,
  FIX_NUMBER,
  FIX_OVERRIDES,
  fix,
  never,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  SHORTEN,
  slowDown,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const STATUSES = 'https://developer.vonage.com/en/messaging/sms/guides/troubleshooting-sms';
const RECEIPTS = 'https://developer.vonage.com/en/messaging/sms/guides/delivery-receipts';

/** Errors of Vonage: statuses of a request (`status`), and codes of delivery receipts (`err-code`). */
export const vonage = catalogue({
  scope: { providers: ['nexmo'] },
  codes: 'own',
  hosts: ['developer.vonage.com', 'api.support.vonage.com'],
  source: (code) => (code.startsWith('errcode=') ? RECEIPTS : STATUSES),
  entries: [
    {
      code: 'status=1',
      text: 'throughput rate exceeded',
      meaning: 'More messages a second were sent than the Vonage account may',
      ...slowDown(1),
    },
    {
      code: 'status=2',
      meaning: 'A parameter that Vonage needs is missing',
      ...fix('setup', "See the error's text for the field, and check the integration's sender."),
    },
    {
      code: 'status=3',
      meaning: "Vonage refused a parameter's value",
      ...fix('content', "See the error's text for the field; often the recipient's number."),
    },
    { code: 'status=4', text: 'bad credentials', meaning: 'Vonage refused the API key or secret', ...ROTATE_KEY },
    { code: 'status=5', meaning: 'Vonage had an error of its own', ...wait(5) },
    {
      code: 'status=6',
      meaning: "Vonage couldn't handle the message, for example because the number's prefix isn't known",
      ...FIX_NUMBER,
    },
    { code: 'status=7', meaning: "The recipient's number is barred at Vonage", ...ASK_RECIPIENT },
    { code: 'status=8', meaning: 'The Vonage account is barred', ...fix('limits', "Ask Vonage's support.") },
    {
      code: 'status=9',
      text: ['quota exceeded - rejected', 'partner quota exceeded', 'partner quota violation'],
      meaning: 'The Vonage account has no credit left',
      ...TOP_UP,
    },
    { code: 'status=10', meaning: 'The Vonage account has too many connections open', ...slowDown(5) },
    {
      code: 'status=11',
      meaning: "The Vonage account can't send by HTTP",
      ...fix('setup', "Ask Vonage's support to enable HTTP."),
    },
    { code: 'status=12', meaning: 'The message is longer than Vonage accepts', ...SHORTEN },
    {
      code: 'status=14',
      meaning: "Vonage refused the request's signature",
      ...fix('credentials', "Check the signature secret in the provider's integration."),
    },
    {
      code: 'status=15',
      meaning: "The sender isn't allowed, or isn't valid in the recipient's country",
      ...fix('setup', 'Use a sender that the country allows.'),
    },
    { code: 'status=22', meaning: "The network code isn't one", ...FIX_OVERRIDES },
    {
      code: 'status=23',
      meaning: "The callback address isn't valid",
      ...fix('setup', 'Correct the callback URL at Vonage.'),
    },
    {
      code: 'status=29',
      text: 'non white-listed destination',
      meaning: 'The Vonage account is a trial, which sends only to numbers on its list',
      ...fix('setup', 'Add the number to the list, or upgrade the account.'),
    },
    {
      code: 'status=32',
      meaning: 'The request has both a signature and an API secret',
      ...fix('credentials', "Use one of the two in the provider's integration."),
    },
    { code: 'status=33', meaning: "The recipient's number was deactivated", ...FIX_NUMBER },
    { code: 'errcode=1', meaning: 'The carrier gave no reason', ...askProvider(60) },
    {
      code: 'errcode=2',
      text: 'absent subscriber - temporary',
      meaning: "The recipient's phone is off or out of reach",
      ...CHECK_NUMBER_LATER,
    },
    {
      code: 'errcode=3',
      text: 'absent subscriber - permanent',
      meaning: "The recipient's number isn't in use any longer",
      ...FIX_NUMBER,
    },
    {
      code: 'errcode=4',
      text: 'call barred by user',
      meaning: "The recipient's number takes no SMS",
      ...ASK_RECIPIENT,
    },
    {
      code: 'errcode=5',
      text: 'portability error',
      meaning: "The recipient's number moved between carriers, and one of them doesn't know yet",
      ...askProvider(60),
    },
    {
      code: 'errcode=6',
      text: 'anti-spam rejection',
      meaning: "The carrier's spam filter blocked the message",
      ...fix('content', 'Change the content or the sender.'),
    },
    { code: 'errcode=7', text: 'handset busy', meaning: "The recipient's phone was busy", ...wait(15, 'recipient') },
    { code: 'errcode=8', meaning: "The carrier's network failed", ...wait(15) },
    {
      code: 'errcode=9',
      text: 'illegal number',
      meaning: 'The recipient asked for no messages from this sender',
      ...RESPECT_OPT_OUT,
    },
    {
      code: 'errcode=10',
      text: 'illegal message',
      meaning: 'A parameter of the message, such as its encoding, is wrong',
      ...FIX_CONTENT,
    },
    { code: 'errcode=11', meaning: 'Vonage has no route to this number', ...askProvider(60) },
    {
      code: 'errcode=12',
      text: 'destination unreachable',
      meaning: 'No route to this number was found',
      ...FIX_NUMBER,
    },
    {
      code: 'errcode=13',
      text: 'subscriber age restriction',
      meaning: "The recipient's age doesn't allow this message",
      ...ASK_RECIPIENT,
    },
    {
      code: 'errcode=14',
      text: 'number blocked by carrier',
      meaning: "The recipient's carrier blocks SMS of this kind",
      ...never('recipient', 'Ask the recipient to have their carrier enable it.'),
    },
    {
      code: 'errcode=15',
      text: 'prepaid insufficient funds',
      meaning: "The recipient's prepaid balance is used up",
      ...ASK_RECIPIENT,
    },
    {
      code: ['errcode=50', 'errcode=51', 'errcode=52', 'errcode=53', 'errcode=54'],
      meaning:
        "A rule of the recipient's country stopped the message: its sender, template, content or consent isn't registered",
      ...fix('setup', 'Register sender and template for that country.'),
    },
    { code: 'errcode=99', meaning: 'The carrier reported a general error', ...askProvider(60) },
  ],
});
