import { catalogue } from '../entry.ts';
import { ASK_RECIPIENT, FIX_NUMBER, WAIT } from '../next-steps.ts';

const ERRORS = 'https://www.infobip.com/docs/developer-resources/api-fundamentals/error-code-reference';

/** Errors of Infobip. */
export const infobip = catalogue({
  scope: { providers: ['infobip-sms'] },
  codes: 'own',
  hosts: ['www.infobip.com'],
  entries: [
    {
      code: 'EC_UNKNOWN_SUBSCRIBER',
      meaning: "The recipient's number is unknown in its network",
      whose: 'recipient',
      again: 'once-fixed',
      next: FIX_NUMBER,
      source: ERRORS,
    },
    {
      code: ['EC_ABSENT_SUBSCRIBER', 'EC_ABSENT_SUBSCRIBER_SM'],
      meaning: "The recipient's phone is off or out of reach",
      whose: 'recipient',
      again: 60,
      next: 'Try again later; if it goes on, check the number.',
      source: ERRORS,
    },
    {
      code: 'EC_ILLEGAL_SUBSCRIBER',
      meaning: "The recipient's SIM isn't allowed in its network",
      whose: 'recipient',
      again: 'never',
      next: ASK_RECIPIENT,
      source: ERRORS,
    },
    {
      code: 'EC_CALL_BARRED',
      meaning: "The recipient's number takes no SMS",
      whose: 'recipient',
      again: 'never',
      next: ASK_RECIPIENT,
      source: ERRORS,
    },
    {
      code: 'EC_SUBSCRIBER_BUSY_FOR_MT_SMS',
      meaning: "The recipient's phone was busy with another message",
      whose: 'recipient',
      again: 15,
      next: WAIT,
      source: ERRORS,
    },
    {
      code: 'EC_SYSTEM_FAILURE',
      meaning: "The carrier's network failed",
      whose: 'provider',
      again: 15,
      next: WAIT,
      source: ERRORS,
    },
  ],
});
