import { catalogue } from '../entry.ts';
import { CHECK_SETTINGS, FIX_ADDRESS, fix, ROTATE_KEY, slowDown, TOP_UP, wait } from '../next-steps.ts';

const ERRORS = 'https://resend.com/docs/api-reference/errors';

/** Errors of Resend. */
export const resend = catalogue({
  scope: { providers: ['resend'] },
  codes: 'own',
  hosts: ['resend.com'],
  source: ERRORS,
  entries: [
    {
      code: 'missing_api_key',
      text: 'missing api key in the authorization header',
      meaning: 'The integration has no API key',
      ...ROTATE_KEY,
    },
    {
      code: 'restricted_api_key',
      text: 'this api key is restricted to only send emails',
      meaning: 'The Resend API key may only send emails, and something else was asked',
      ...fix('credentials', 'Use a key with full access.'),
    },
    { code: 'invalid_api_key', text: 'api key is invalid', meaning: 'Resend refused the API key', ...ROTATE_KEY },
    {
      code: 'validation_error',
      isBroad: true,
      meaning: "Resend refused a field of the email, or the sender's domain isn't verified",
      ...fix('content', "See the error's text for the field."),
    },
    {
      text: 'you can only send testing emails to your own email address',
      meaning: "Without a verified domain Resend sends only to the account's own address",
      ...fix('setup', 'Verify a domain at Resend and send from it.'),
    },
    {
      text: 'domain is not verified',
      meaning: "The sender's domain isn't verified at Resend",
      ...fix('setup', 'Verify the domain at Resend.'),
    },
    {
      code: 'invalid_from_address',
      text: ["invalid 'from' field", 'invalid from field'],
      meaning: "The sender's address isn't well-formed",
      ...fix('setup', 'Correct the sender: an address, or a name and the address in angle brackets.'),
    },
    { code: 'invalid_to_address', meaning: "The recipient's address isn't well-formed", ...FIX_ADDRESS },
    {
      code: 'invalid_attachment',
      meaning: 'An attachment has neither content nor path',
      ...fix('content', 'Correct the attachment in the trigger.'),
    },
    {
      code: ['invalid_idempotency_key', 'invalid_idempotent_request', 'concurrent_idempotent_requests'],
      meaning:
        "Resend refused the request's idempotency key: not well-formed, used for another email, or still running",
      ...wait(5),
    },
    {
      code: 'missing_required_field',
      meaning: 'The email lacks a field that Resend needs',
      ...fix('content', "See the error's text for the field."),
    },
    {
      code: 'invalid_parameter',
      meaning: "A value isn't of the form that Resend expects",
      ...fix('content', "See the error's text for the value."),
    },
    { code: 'not_found', meaning: 'Resend found nothing at the address of this request', ...CHECK_SETTINGS },
    {
      code: 'method_not_allowed',
      meaning: "Resend doesn't take this kind of request at that address",
      ...CHECK_SETTINGS,
    },
    { code: 'rate_limit_exceeded', meaning: 'More requests a second were sent than Resend allows', ...slowDown(1) },
    {
      code: 'daily_quota_exceeded',
      meaning: 'The Resend account sent as many emails in a day as its plan has',
      ...TOP_UP,
      again: 1440,
    },
    {
      code: 'monthly_quota_exceeded',
      meaning: 'The Resend account sent as many emails in a month as its plan has',
      ...TOP_UP,
    },
    {
      code: 'security_error',
      meaning: 'Resend found a security problem with the request',
      ...fix('setup', "See the error's text, and ask Resend's support."),
    },
    { code: ['application_error', 'internal_server_error'], meaning: 'Resend had an error of its own', ...wait(5) },
  ],
});
