import { catalogue } from './entry.ts';
import { after, FIX_CONTENT, fix, never } from './next-steps.ts';

const SENTENCES =
  'https://github.com/novuhq/novu/blob/next/libs/application-generic/src/usecases/create-execution-details/types/index.ts';
const PREFERENCES = 'https://docs.novu.co/platform/concepts/preferences';
const CONDITIONS = 'https://docs.novu.co/platform/workflow/add-and-configure-steps/step-conditions';
const INTEGRATIONS = 'https://docs.novu.co/platform/concepts/integrations';
const BRIDGE = 'https://docs.novu.co/framework/endpoint';

/** The Notification Service's own sentences, from its public implementation. */
export const serviceSentences = catalogue({
  scope: 'any',
  codes: 'own',
  hosts: ['github.com', 'docs.novu.co'],
  source: SENTENCES,
  entries: [
    {
      text: 'subscriber does not have an email address',
      meaning: 'The subscriber has no email address',
      ...fix('recipient', "Add an email address to the subscriber's profile."),
    },
    {
      text: ['subscriber does not have a phone number', 'subscriber is missing a phone number'],
      meaning: 'The subscriber has no phone number',
      ...fix('recipient', "Add a phone number to the subscriber's profile."),
    },
    {
      text: ['subscriber missing recipient details', 'subscriber does not have any email/phone number'],
      meaning: 'The subscriber lacks the email address or phone number that this channel needs',
      ...fix('recipient', "Complete the subscriber's profile."),
    },
    {
      text: 'subscriber does not have a configured channel',
      meaning: 'The subscriber has no credentials for a provider of this channel',
      ...fix('recipient', "Add the subscriber's credentials for the provider, such as device tokens or a webhook URL."),
    },
    {
      text: 'subscriber does not have an active integration',
      meaning: 'No integration of this channel is active in the environment, so nothing could be sent',
      ...fix('setup', 'Activate an integration for this channel, or make one primary.'),
      source: INTEGRATIONS,
    },
    {
      text: 'subscriber credentials is missing the tokens for sending a push notification message',
      meaning: 'The subscriber has no device token for this push provider',
      ...fix('recipient', "Let the app register the device's token, or add it to the subscriber's credentials."),
    },
    {
      text: 'webhook url for the chat channel is missing',
      meaning: 'The subscriber has no webhook URL for this chat provider',
      ...fix('recipient', "Add the webhook URL to the subscriber's credentials."),
    },
    {
      text: 'all chat channels failed to send the message',
      meaning: 'Every chat provider of this subscriber failed',
      ...fix('provider', "See the step's other errors for each provider's reason."),
    },
    {
      text: 'message content could not be generated due to syntax error in email editor',
      meaning: "The email's template has a syntax error",
      ...FIX_CONTENT,
    },
    {
      text: 'message content could not be generated',
      meaning: "The step's content couldn't be rendered: a variable is missing or the template has an error",
      ...FIX_CONTENT,
    },
    {
      text: 'liquid error',
      meaning: "The step's template has an error, or uses a variable or filter that doesn't exist",
      ...FIX_CONTENT,
    },
    {
      text: 'undefined variable',
      meaning: "The step's content uses a variable that the event's payload or the subscriber doesn't have",
      ...fix('content', 'Send the variable in the payload, or give it a default in the template.'),
    },
    {
      text: 'layout not found',
      meaning: "The email's layout doesn't exist in this environment",
      ...fix('setup', 'Choose another layout in the step, or publish the layout to this environment.'),
    },
    {
      text: 'tenant identifier not found',
      meaning: "The tenant that the trigger names doesn't exist in this environment",
      ...fix('setup', 'Create the tenant, or correct its identifier in the trigger.'),
    },
    {
      text: ['provider limit has been reached', "novu's provider limit has been reached"],
      meaning: "The built-in provider's limit for trying the service out is used up",
      ...fix('limits', 'Connect a provider of your own for this channel.'),
    },
    {
      text: 'invalid delay configuration',
      meaning: "The delay step's settings, or the date in the payload that it waits for, aren't valid",
      ...fix('setup', "Correct the delay step or the payload's date."),
    },
    {
      text: 'bridge execution failed',
      meaning: "The code that defines this workflow (the bridge) failed or couldn't be reached",
      ...fix('setup', "Check the bridge's logs and address."),
      source: BRIDGE,
    },
    {
      text: 'failed to get response from bridge',
      meaning: "The code that defines this workflow (the bridge) didn't answer",
      ...after(5, 'network', 'Check that the bridge is up and reachable from the service.'),
      source: BRIDGE,
    },
    {
      text: 'processing step filter failed',
      meaning: "The step's conditions couldn't be evaluated",
      ...fix('setup', "Correct the step's conditions."),
    },
    {
      text: ['webhook filter failed', 'failed to get response from remote webhook filter'],
      meaning: "The webhook that a step's condition asks didn't answer",
      ...after(5, 'network', 'Check the webhook that the condition asks.'),
    },
    {
      text: ['inbound mail - missing replay callback url', 'inbound mail - missing configuration'],
      meaning: 'The step takes replies but has no address to pass them on to',
      ...fix('setup', 'Set the reply callback of the step.'),
    },
    {
      text: ['inbound mail - missing mx record configuration', 'inbound mail - missing mx route domain configuration'],
      meaning: 'The domain for replies has no MX record that leads to the service',
      ...fix('setup', 'Set up the domain for inbound mail.'),
    },
    {
      text: 'throttle limit exceeded',
      meaning: "The workflow's throttle step let no more through in its window",
      ...never('nobody', 'Nothing to fix: the throttle step works as set. Widen it if too much is held back.'),
    },
    {
      text: [
        'step was skipped based on steps conditions',
        'step was filtered based on steps filters',
        'bridge execution skipped',
      ],
      meaning: "A condition of the step wasn't met, so it wasn't sent",
      ...never('nobody', 'Nothing to fix if the condition is meant so.'),
      source: CONDITIONS,
    },
    {
      text: 'step was canceled because a previous step failed',
      meaning: "An earlier step failed, so this one wasn't sent",
      ...fix('nobody', "See the earlier step's error."),
    },
    {
      text: [
        'step filtered by subscriber workflow preferences',
        'step filtered by subscriber global preferences',
        'step filtered by workflow preferences',
        'step filtered by user preferences',
        'step filtered by subscriber preferences',
      ],
      meaning: "The subscriber's or workflow's preferences turn this channel off",
      ...never('nobody', "Nothing to fix: the recipient doesn't want this, or the workflow doesn't send it."),
      source: PREFERENCES,
    },
  ],
});
