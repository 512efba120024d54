import { outageOf, type ProviderFailure } from '../service/provider-failures.ts';

/** An outage in which a provider refuses what is sent. None of these causes is an everyday one. */
export interface ScenarioOutage {
  readonly provider: string;
  readonly what: string;
  readonly cause: ProviderFailure;
}

export const expiredKey: ScenarioOutage = {
  provider: 'sendgrid',
  what: 'SendGrid refuses an expired key',
  cause: refused({ message: 'The provided authorization grant is invalid, expired, or revoked', code: 401 }),
};

export const outOfCredits: ScenarioOutage = {
  provider: 'sendgrid',
  what: 'SendGrid’s credits are used up',
  cause: refused({ message: 'Maximum credits exceeded', code: 401 }),
};

const wrongToken: ScenarioOutage = {
  provider: 'twilio',
  what: 'Twilio refuses a wrong token',
  cause: refused({ status: 401, code: 20003, message: 'Authentication Error - invalid username' }),
};

export const noCertificate: ScenarioOutage = {
  provider: 'fcm',
  what: 'Firebase misses a certificate',
  cause: refused({
    code: 'messaging/third-party-auth-error',
    message: 'The required APNs SSL certificate was not uploaded or has expired',
  }),
};

/** The outages from which the seed chooses. */
export const OUTAGES: readonly [ScenarioOutage, ...ScenarioOutage[]] = [
  wrongToken,
  outOfCredits,
  expiredKey,
  noCertificate,
];

/** The failures while Slack refuses calls, so that there is something to announce. */
export const suspendedAccount: ScenarioOutage = {
  provider: 'twilio',
  what: 'Twilio has suspended the account',
  cause: refused({ status: 403, code: 20005, message: 'Account is not active' }),
};

/** The failures while Slack's answers are lost. */
export const unverifiedSender: ScenarioOutage = {
  provider: 'sendgrid',
  what: 'SendGrid does not know the sender',
  cause: refused({ message: 'The from address does not match a verified Sender Identity', code: 403 }),
};

/** Of one tenant's account at the provider, while all others send. */
export const suspendedSubaccount: ScenarioOutage = {
  provider: 'sendgrid',
  what: 'SendGrid has suspended acme’s subaccount',
  cause: refused({ message: 'The subuser account is suspended', code: 403 }),
};

export const throttledBySes: ScenarioOutage = {
  provider: 'ses',
  what: 'Amazon SES throttles some of it',
  cause: outageOf('ses'),
};

function refused(response: object): ProviderFailure {
  return { detail: 'Unexpected provider error', raw: JSON.stringify(response) };
}
