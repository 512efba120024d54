import { catalogue } from '../entry.ts';
import { FIX_CONTENT, SHORTEN, SLOW_DOWN } from '../next-steps.ts';

const WEBHOOKS =
  'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using';
const RETIREMENT =
  'https://devblogs.microsoft.com/microsoft365dev/retirement-of-office-365-connectors-within-microsoft-teams/';

/** Errors of Microsoft Teams. */
export const msteams = catalogue({
  scope: { providers: ['msteams'] },
  codes: 'own',
  hosts: ['learn.microsoft.com', 'devblogs.microsoft.com'],
  entries: [
    {
      text: 'summary or text is required',
      meaning: 'The message card has neither a summary nor a text',
      whose: 'content',
      again: 'once-fixed',
      next: FIX_CONTENT,
      source: WEBHOOKS,
    },
    {
      text: 'microsoft teams endpoint returned http error 429',
      meaning: 'More messages were posted than the Teams webhook allows',
      whose: 'limits',
      again: 5,
      next: SLOW_DOWN,
      source: WEBHOOKS,
    },
    {
      code: ['401', '403'],
      text: 'microsoft teams endpoint returned http error 403',
      meaning: "The Teams webhook isn't allowed to post: it was removed, or connectors were retired there",
      whose: 'recipient',
      again: 'once-fixed',
      next: "Replace the webhook's address by one of a Workflows webhook.",
      source: RETIREMENT,
    },
    {
      code: '404',
      text: 'microsoft teams endpoint returned http error 404',
      meaning: "The Teams webhook or its channel doesn't exist any longer",
      whose: 'recipient',
      again: 'once-fixed',
      next: "Replace the webhook's address in the subscriber's credentials.",
      source: WEBHOOKS,
    },
    {
      text: 'microsoft teams endpoint returned http error 413',
      meaning: 'The message is larger than the 28 KB that a Teams webhook takes',
      whose: 'content',
      again: 'once-fixed',
      next: SHORTEN,
      source: WEBHOOKS,
    },
    {
      text: 'invalid webhook url',
      meaning: "The address isn't one of a Teams webhook",
      whose: 'recipient',
      again: 'once-fixed',
      next: "Correct the webhook's address in the subscriber's credentials.",
      source: WEBHOOKS,
    },
    {
      code: '413',
      meaning: 'The message is larger than the 28 KB that a Teams webhook takes',
      whose: 'content',
      again: 'once-fixed',
      next: SHORTEN,
      source: WEBHOOKS,
    },
    {
      code: '410',
      meaning: 'The Teams connector was retired or removed',
      whose: 'recipient',
      again: 'once-fixed',
      next: "Replace the webhook's address by one of a Workflows webhook.",
      source: RETIREMENT,
    },
  ],
});
