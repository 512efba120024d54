import { catalogue } from '../entry.ts';
import { TOP_UP } from '../next-steps.ts';

const ERRORS = 'https://developers.brevo.com/docs/how-it-works';

/** Errors of Brevo. */
export const brevo = catalogue({
  scope: { providers: ['sendinblue', 'brevo-sms'] },
  codes: 'own',
  hosts: ['developers.brevo.com'],
  entries: [
    {
      code: 'unauthorized',
      meaning: "Brevo refused the API key, or the sending server's IP address isn't authorized for it",
      whose: 'credentials',
      again: 'once-fixed',
      next: 'Check the API key and the authorized IP addresses at Brevo.',
      source: ERRORS,
    },
    {
      code: 'not_enough_credits',
      meaning: 'The Brevo account ran out of credits',
      whose: 'limits',
      again: 'once-fixed',
      next: TOP_UP,
      source: ERRORS,
    },
    {
      code: 'permission_denied',
      meaning: "The Brevo account or key isn't allowed to do this",
      whose: 'credentials',
      again: 'once-fixed',
      next: "Check the account's plan and permissions at Brevo.",
      source: ERRORS,
    },
    {
      code: 'account_under_validation',
      meaning: "Brevo hasn't validated the account yet",
      whose: 'setup',
      again: 'once-fixed',
      next: "Finish the account's validation at Brevo.",
      source: ERRORS,
    },
    {
      code: 'missing_parameter',
      meaning: 'The message lacks a field that Brevo needs',
      whose: 'content',
      again: 'once-fixed',
      next: "See the error's text for the field.",
      source: ERRORS,
    },
    {
      code: 'invalid_parameter',
      meaning: 'Brevo refused a value of the message',
      whose: 'content',
      again: 'once-fixed',
      next: "See the error's text for the value.",
      source: ERRORS,
    },
  ],
});
