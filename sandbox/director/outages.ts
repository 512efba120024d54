import { outageOf, type ProviderFailure } from '../notification-service/provider-failures.ts';
import type { FaultWindow } from './scenario.ts';

/**
 * An outage in which a provider refuses everything. None of these causes occurs in the hours before, which the first digest has announced.
 */
export interface Outage {
  readonly provider: string;
  readonly what: string;
  readonly cause: ProviderFailure;
}

export const expiredKey: Outage = {
  provider: 'sendgrid',
  what: 'SendGrid refuses an expired key',
  cause: refused({ message: 'The provided authorization grant is invalid, expired, or revoked', code: 401 }),
};

export const outOfCredits: Outage = {
  provider: 'sendgrid',
  what: 'SendGrid’s credits are used up',
  cause: refused({ message: 'Maximum credits exceeded', code: 401 }),
};

export const wrongToken: Outage = {
  provider: 'twilio',
  what: 'Twilio refuses a wrong token',
  cause: refused({ status: 401, code: 20003, message: 'Authentication Error - invalid username' }),
};

export const noCertificate: Outage = {
  provider: 'fcm',
  what: 'Firebase misses a certificate',
  cause: refused({
    code: 'messaging/third-party-auth-error',
    message: 'The required APNs SSL certificate was not uploaded or has expired',
  }),
};

/** The outages from which the seed chooses. */
export const OUTAGES: readonly [Outage, ...Outage[]] = [wrongToken, outOfCredits, expiredKey, noCertificate];

/** The failures while Slack refuses calls, so that there is something to announce. */
export const suspendedAccount: Outage = {
  provider: 'twilio',
  what: 'Twilio has suspended the account',
  cause: refused({ status: 403, code: 20005, message: 'Account is not active' }),
};

/** The failures while Slack's answers are lost. */
export const unverifiedSender: Outage = {
  provider: 'sendgrid',
  what: 'SendGrid does not know the sender',
  cause: refused({ message: 'The from address does not match a verified Sender Identity', code: 403 }),
};

/** Of one tenant's account at the provider, while all others send. */
export const suspendedSubaccount: Outage = {
  provider: 'sendgrid',
  what: 'SendGrid has suspended acme’s subaccount',
  cause: refused({ message: 'The subuser account is suspended', code: 403 }),
};

/** An outage for a share of what is sent. */
export const throttledBySes: Outage = {
  provider: 'ses',
  what: 'Amazon SES throttles some of it',
  cause: outageOf('ses'),
};

function refused(response: object): ProviderFailure {
  return { detail: 'Unexpected provider error', raw: JSON.stringify(response) };
}

type Span = Pick<FaultWindow, 'from' | 'to'>;

/** Returns a fault window in which a provider refuses this share (0 to 1) of what is sent through it. */
export function outage({ provider, what, cause }: Outage, span: Span, share = 1): FaultWindow {
  return { ...span, what, fault: { kind: 'outage', provider, cause, share, contextKey: null } };
}

export function outageIn(contextKey: string, { provider, what, cause }: Outage, span: Span): FaultWindow {
  return { ...span, what, fault: { kind: 'outage', provider, cause, share: 1, contextKey } };
}

/** Returns a window without a fault, in which recovery can be seen. */
export function quiet(what: string, span: Span): FaultWindow {
  return { ...span, what, fault: { kind: 'none' } };
}
