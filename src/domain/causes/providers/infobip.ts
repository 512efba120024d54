import { catalogue } from '../entry.ts';
import { ASK_RECIPIENT, CHECK_NUMBER_LATER, FIX_NUMBER, wait } from '../next-steps.ts';

const ERRORS = 'https://www.infobip.com/docs/developer-resources/api-fundamentals/error-code-reference';

/** Errors of Infobip. */
export const infobip = catalogue({
  scope: { providers: ['infobip-sms'] },
  codes: 'own',
  hosts: ['www.infobip.com'],
  source: ERRORS,
  entries: [
    { code: 'EC_UNKNOWN_SUBSCRIBER', meaning: "The recipient's number is unknown in its network", ...FIX_NUMBER },
    {
      code: ['EC_ABSENT_SUBSCRIBER', 'EC_ABSENT_SUBSCRIBER_SM'],
      meaning: "The recipient's phone is off or out of reach",
      ...CHECK_NUMBER_LATER,
    },
    { code: 'EC_ILLEGAL_SUBSCRIBER', meaning: "The recipient's SIM isn't allowed in its network", ...ASK_RECIPIENT },
    { code: 'EC_CALL_BARRED', meaning: "The recipient's number takes no SMS", ...ASK_RECIPIENT },
    {
      code: 'EC_SUBSCRIBER_BUSY_FOR_MT_SMS',
      meaning: "The recipient's phone was busy with another message",
      ...wait(15, 'recipient'),
    },
    { code: 'EC_SYSTEM_FAILURE', meaning: "The carrier's network failed", ...wait(15) },
  ],
});
