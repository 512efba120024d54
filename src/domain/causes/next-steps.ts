/** Next steps shared by several entries. */
export const FIX_ADDRESS = "Correct the subscriber's email address.";
export const FIX_NUMBER = "Correct the subscriber's phone number (E.164, such as +14155552671).";
export const REMOVE_TOKEN =
  "Remove this device token from the subscriber's credentials; the app registers a new one when it's opened.";
export const FIX_TOKEN = "Replace the subscriber's device token with one from the current build of the app.";
export const ASK_RECIPIENT = 'Reach the recipient another way, or ask them to change it.';
export const ROTATE_KEY = "Check the credentials of the provider's integration, and replace them if they were revoked.";
export const WAIT = "Wait. If it lasts, check the provider's status page.";
export const ASK_PROVIDER = "Ask the provider's support, with the message's ID.";
export const SLOW_DOWN = 'Send fewer messages at a time, or ask the provider for a higher limit.';
export const TOP_UP = "Check the balance and plan of the provider's account.";
export const FIX_CONTENT = "Fix the step's content and its variables.";
export const SHORTEN = "Shorten the step's content.";
export const REPUTATION = "Check the sending domain's and IP address's reputation, and the content.";
export const RESPECT_OPT_OUT = 'Stop sending to this recipient until they opt in again.';
