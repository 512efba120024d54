import { catalogue } from '../entry.ts';
import { fix, TOP_UP } from '../next-steps.ts';

const ERRORS = 'https://developers.brevo.com/docs/how-it-works';

/** Errors of Brevo. */
export const brevo = catalogue({
  scope: { providers: ['sendinblue', 'brevo-sms'] },
  codes: 'own',
  hosts: ['developers.brevo.com'],
  source: ERRORS,
  entries: [
    {
      code: 'unauthorized',
      meaning: "Brevo refused the API key, or the sending server's IP address isn't authorized for it",
      ...fix('credentials', 'Check the API key and the authorized IP addresses at Brevo.'),
    },
    { code: 'not_enough_credits', meaning: 'The Brevo account ran out of credits', ...TOP_UP },
    {
      code: 'permission_denied',
      meaning: "The Brevo account or key isn't allowed to do this",
      ...fix('credentials', "Check the account's plan and permissions at Brevo."),
    },
    {
      code: 'account_under_validation',
      meaning: "Brevo hasn't validated the account yet",
      ...fix('setup', "Finish the account's validation at Brevo."),
    },
    {
      code: 'missing_parameter',
      meaning: 'The message lacks a field that Brevo needs',
      ...fix('content', "See the error's text for the field."),
    },
    {
      code: 'invalid_parameter',
      meaning: 'Brevo refused a value of the message',
      ...fix('content', "See the error's text for the value."),
    },
  ],
});
