import { catalogue } from '../entry.ts';
import { FIX_CONTENT, fix, SHORTEN, slowDown } from '../next-steps.ts';

const WEBHOOKS =
  'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using';
const RETIREMENT =
  'https://devblogs.microsoft.com/microsoft365dev/retirement-of-office-365-connectors-within-microsoft-teams/';

/** Errors of Microsoft Teams. */
export const msteams = catalogue({
  scope: { providers: ['msteams'] },
  codes: 'own',
  hosts: ['learn.microsoft.com', 'devblogs.microsoft.com'],
  source: WEBHOOKS,
  entries: [
    {
      text: 'summary or text is required',
      meaning: 'The message card has neither a summary nor a text',
      ...FIX_CONTENT,
    },
    {
      text: 'microsoft teams endpoint returned http error 429',
      meaning: 'More messages were posted than the Teams webhook allows',
      ...slowDown(5),
    },
    {
      code: ['401', '403'],
      text: 'microsoft teams endpoint returned http error 403',
      meaning: "The Teams webhook isn't allowed to post: it was removed, or connectors were retired there",
      ...fix('recipient', "Replace the webhook's address by one of a Workflows webhook."),
      source: RETIREMENT,
    },
    {
      code: '404',
      text: 'microsoft teams endpoint returned http error 404',
      meaning: "The Teams webhook or its channel doesn't exist any longer",
      ...fix('recipient', "Replace the webhook's address in the subscriber's credentials."),
    },
    {
      text: 'microsoft teams endpoint returned http error 413',
      meaning: 'The message is larger than the 28 KB that a Teams webhook takes',
      ...SHORTEN,
    },
    {
      text: 'invalid webhook url',
      meaning: "The address isn't one of a Teams webhook",
      ...fix('recipient', "Correct the webhook's address in the subscriber's credentials."),
    },
    { code: '413', meaning: 'The message is larger than the 28 KB that a Teams webhook takes', ...SHORTEN },
    {
      code: '410',
      meaning: 'The Teams connector was retired or removed',
      ...fix('recipient', "Replace the webhook's address by one of a Workflows webhook."),
      source: RETIREMENT,
    },
  ],
});
