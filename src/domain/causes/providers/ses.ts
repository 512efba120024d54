import { catalogue } from '../entry.ts';
import { ASK_RECIPIENT, after, FIX_ADDRESS, FIX_CONTENT, fix, SEND_SMALLER, slowDown } from '../next-steps.ts';

const ERRORS = 'https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html';
const QUOTAS = 'https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html';
const BOUNCES = 'https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html';
const SEND_EMAIL = 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html';
const SEND_EMAIL_V1 = 'https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html';

/** Errors of Amazon SES. */
export const ses = catalogue({
  scope: { providers: ['ses'] },
  codes: 'own',
  hosts: ['docs.aws.amazon.com'],
  source: BOUNCES,
  entries: [
    {
      text: ['email address is not verified', 'email address not verified'],
      meaning:
        "SES sends only from verified addresses or domains (in the sandbox also only to verified ones), and this one isn't",
      ...fix(
        'setup',
        'Verify the address or domain in SES, in the region of the integration; leave the sandbox for other recipients.',
      ),
      source: ERRORS,
    },
    {
      code: 'MessageRejected',
      isBroad: true,
      meaning: "SES refused the email: its sender isn't verified, or its content was rejected",
      ...fix('setup', "See the error's text; verify the sender in SES if it says so."),
      source: SEND_EMAIL,
    },
    {
      code: ['MailFromDomainNotVerifiedException', 'MailFromDomainNotVerified'],
      meaning: "The MAIL FROM domain's MX record isn't set up as SES asks",
      ...fix('setup', 'Correct the MX record of the custom MAIL FROM domain.'),
      source: SEND_EMAIL,
    },
    {
      code: ['ConfigurationSetDoesNotExist', 'ConfigurationSetDoesNotExistException'],
      text: 'configuration set does not exist',
      meaning: "The configuration set that the integration names doesn't exist in this region",
      ...fix('setup', 'Correct the configuration set in the integration.'),
      source: SEND_EMAIL_V1,
    },
    {
      code: ['AccountSendingPausedException', 'SendingPausedException', 'AccountSendingPaused'],
      text: ['sending is disabled for this account', 'sending paused for this account'],
      meaning: 'Sending is paused for the SES account',
      ...fix('limits', 'Look in the SES console why: often bounces or complaints. Ask AWS to resume.'),
      source: SEND_EMAIL_V1,
    },
    {
      code: 'ConfigurationSetSendingPausedException',
      meaning: 'Sending is paused for this configuration set',
      ...fix('setup', 'Resume sending for the configuration set in SES.'),
      source: SEND_EMAIL_V1,
    },
    {
      code: 'AccountSuspendedException',
      meaning: "AWS suspended the SES account's right to send",
      ...fix('limits', "Answer AWS's notice in the SES console."),
      source: SEND_EMAIL,
    },
    {
      code: ['TooManyRequestsException', 'LimitExceededException'],
      meaning: 'More was asked of SES than its limits allow',
      ...slowDown(5),
      source: SEND_EMAIL,
    },
    {
      text: 'maximum sending rate exceeded',
      meaning: 'More emails a second were sent than the SES account may',
      ...slowDown(1),
      source: QUOTAS,
    },
    {
      text: ['daily message quota exceeded', 'daily sending quota exceeded'],
      meaning: 'The SES account sent as many emails in 24 hours as it may',
      ...after(1440, 'limits', 'Ask AWS for a higher sending quota.'),
      source: QUOTAS,
    },
    {
      text: 'address blacklisted',
      meaning: "SES doesn't send to this address: it bounced for another account lately",
      ...FIX_ADDRESS,
      source: ERRORS,
    },
    {
      code: ['subtype=OnAccountSuppressionList', 'bouncesubtype=OnAccountSuppressionList', 'OnAccountSuppressionList'],
      meaning: "SES didn't send: the address is on the account's suppression list",
      ...fix('recipient', 'Correct the address, or remove it from the suppression list in SES.'),
    },
    {
      code: 'bouncesubtype=Suppressed',
      meaning: "SES didn't send: the address bounced for SES customers lately",
      ...FIX_ADDRESS,
    },
    {
      code: 'bouncesubtype=NoEmail',
      meaning: "The recipient's address couldn't be found in the bounce, or doesn't exist",
      ...FIX_ADDRESS,
    },
    { code: 'bouncesubtype=MailboxFull', meaning: "The recipient's mailbox is full", ...ASK_RECIPIENT, again: 720 },
    {
      code: 'bouncesubtype=MessageTooLarge',
      meaning: "The email is larger than the recipient's mailbox accepts",
      ...SEND_SMALLER,
    },
    {
      code: 'bouncesubtype=ContentRejected',
      meaning: "The recipient's mail system refused the email's content",
      ...FIX_CONTENT,
    },
    {
      code: 'bouncesubtype=AttachmentRejected',
      meaning: "The recipient's mail system refused the email's attachment",
      ...fix('content', 'Send it without attachments, or with another type of file.'),
    },
  ],
});
