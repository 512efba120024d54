import type { CauseEntry, Responsible } from './entry.ts';

/** Who is responsible for a cause, whether sending again can help, and the next step. Entries of catalogs spread it. */
export type Remedy = Pick<CauseEntry, 'whose' | 'again' | 'next'>;

/** Sending again helps once the next step is done. */
export const fix = (whose: Responsible, next: string): Remedy => ({ whose, again: 'once-fixed', next });
/** Sending again doesn't help. */
export const never = (whose: Responsible, next: string): Remedy => ({ whose, again: 'never', next });
/** Sending again can help after some minutes. */
export const after = (again: number, whose: Responsible, next: string): Remedy => ({ whose, again, next });

export const FIX_ADDRESS = fix('recipient', "Correct the subscriber's email address.");
export const FIX_NUMBER = fix(
  'recipient',
  "Correct the subscriber's phone number: a plus, the country code and the number, only digits (E.164).",
);
export const REMOVE_TOKEN = fix(
  'recipient',
  "Remove this device token from the subscriber's credentials; the app registers a new one when it's opened.",
);
export const FIX_TOKEN = fix(
  'recipient',
  "Replace the subscriber's device token with one from the current build of the app.",
);
export const ASK_RECIPIENT = never('recipient', 'Reach the recipient another way, or ask them to change it.');
export const CHECK_NUMBER_LATER = after(60, 'recipient', 'Try again later; if it goes on, check the number.');
export const RESPECT_OPT_OUT = never('recipient', 'Stop sending to this recipient until they opt in again.');
export const ROTATE_KEY = fix(
  'credentials',
  "Check the credentials of the provider's integration, and replace them if they were revoked.",
);
export const TOP_UP = fix('limits', "Check the balance and plan of the provider's account.");
export const FIX_SENDER = fix('setup', "Correct the sender in the provider's integration.");
export const FIX_OVERRIDES = fix('setup', "Correct the step's overrides.");
export const CHECK_SETTINGS = fix('setup', "Check the integration's settings.");
export const FIX_CONTENT = fix('content', "Fix the step's content and its variables.");
export const SHORTEN = fix('content', "Shorten the step's content.");
export const SEND_SMALLER = fix('content', 'Make the email smaller, for example by linking to attachments.');
export const REPUTATION = never('setup', "Check the sending domain's and IP address's reputation, and the content.");

export const wait = (minutes: number, whose: Responsible = 'provider'): Remedy =>
  after(minutes, whose, "Wait. If it lasts, check the provider's status page.");
export const slowDown = (minutes: number, whose: Responsible = 'limits'): Remedy =>
  after(minutes, whose, 'Send fewer messages at a time, or ask the provider for a higher limit.');
export const ASK_PROVIDER = "Ask the provider's support, with the message's ID.";
export const askProvider = (minutes: number, whose: Responsible = 'provider'): Remedy =>
  after(minutes, whose, ASK_PROVIDER);
