import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  CHECK_NUMBER_LATER,
  CHECK_SETTINGS,
  FIX_NUMBER,
  fix,
  ROTATE_KEY,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://developers.messagebird.com/api/#api-errors';
const FAILURES =
  'https://docs.bird.com/api/channels-api/message-status-and-interactions/message-failure-sources/sms-platform-extended-error-codes';

/** Errors of MessageBird (Bird). */
export const messagebird = catalogue({
  scope: { providers: ['messagebird'] },
  codes: 'own',
  hosts: ['developers.messagebird.com', 'docs.bird.com'],
  source: (code) => (code.startsWith('EC_') ? FAILURES : ERRORS),
  entries: [
    {
      code: 'code=2',
      text: 'request not allowed (incorrect access_key)',
      meaning: 'MessageBird refused the access key',
      ...ROTATE_KEY,
    },
    {
      code: 'code=9',
      text: 'no (correct) recipients found',
      meaning: "A field that MessageBird needs is missing or wrong, often the recipient's number",
      ...FIX_NUMBER,
    },
    {
      code: 'code=10',
      meaning: 'MessageBird refused a value of the request',
      ...fix('content', "See the error's text for the value."),
    },
    { code: 'code=20', meaning: 'MessageBird found nothing at the address of this request', ...CHECK_SETTINGS },
    { code: 'code=25', text: 'not enough balance', meaning: 'The MessageBird account has no balance left', ...TOP_UP },
    { code: 'code=99', meaning: 'MessageBird had an error of its own', ...wait(5) },
    {
      code: ['EC_UNKNOWN_SUBSCRIBER', 'statuserrorcode=1'],
      text: 'unknown subscriber',
      meaning: "The recipient's number belongs to no active line",
      ...FIX_NUMBER,
    },
    {
      code: ['EC_UNIDENTIFIED_SUBSCRIBER', 'statuserrorcode=5'],
      meaning: "The carrier can't identify the recipient",
      ...FIX_NUMBER,
    },
    {
      code: ['EC_ABSENT_SUBSCRIBER', 'EC_ABSENT_SUBSCRIBER_SM', 'statuserrorcode=6', 'statuserrorcode=27'],
      text: 'unavailable subscriber',
      meaning: "The recipient's phone is off or out of reach",
      ...CHECK_NUMBER_LATER,
    },
    {
      code: ['EC_ILLEGAL_SUBSCRIBER', 'statuserrorcode=9'],
      meaning: "The recipient's SIM isn't allowed in its network",
      ...ASK_RECIPIENT,
    },
    {
      code: ['EC_TELESERVICE_NOT_PROVISIONED', 'statuserrorcode=11'],
      meaning: "The recipient's subscription has no SMS",
      ...ASK_RECIPIENT,
    },
    {
      code: ['EC_ILLEGAL_EQUIPMENT', 'statuserrorcode=12'],
      meaning: "The recipient's phone is blocked in its network",
      ...ASK_RECIPIENT,
    },
    {
      code: ['EC_CALL_BARRED', 'statuserrorcode=13'],
      meaning: "The recipient's number takes no SMS",
      ...ASK_RECIPIENT,
    },
    {
      code: ['EC_SUBSCRIBER_BUSY_FOR_MT_SMS', 'statuserrorcode=31'],
      meaning: "The recipient's phone was busy with another message",
      ...wait(15, 'recipient'),
    },
    {
      code: ['EC_SM_DELIVERY_FAILURE', 'statuserrorcode=32'],
      meaning: "The recipient's phone couldn't take the message: its memory may be full",
      ...wait(60, 'recipient'),
    },
    {
      code: ['EC_SYSTEM_FAILURE', 'statuserrorcode=34'],
      text: 'received network error',
      meaning: "The carrier's network failed",
      ...wait(15),
    },
  ],
});
