import { outageOf, type ProviderFailure } from '../notification-service/provider-failures.ts';

export interface Outage {
  readonly provider: string;
  /** How people call it. */
  readonly title: string;
  readonly cause: ProviderFailure;
}

/** As SendGrid words it for a key that is no longer valid. */
const expiredKey: Outage = {
  provider: 'sendgrid',
  title: 'SendGrid',
  cause: refused({ message: 'The provided authorization grant is invalid, expired, or revoked', code: 401 }),
};

const outOfCredits: Outage = {
  provider: 'sendgrid',
  title: 'SendGrid',
  cause: refused({ message: 'Maximum credits exceeded', code: 401 }),
};

const twilioDown: Outage = { provider: 'twilio', title: 'Twilio', cause: outageOf('twilio') };
const firebaseDown: Outage = { provider: 'fcm', title: 'Firebase', cause: outageOf('fcm') };

/** What the seed of the provider outage chooses from. */
export const outages: readonly [Outage, ...Outage[]] = [twilioDown, outOfCredits, expiredKey, firebaseDown];

export const outageOfTwilio = disturbanceOf(twilioDown);
export const outageOfFirebase = disturbanceOf(firebaseDown);
export const throttledBySes = { provider: 'ses', cause: outageOf('ses') };

function disturbanceOf({ provider, cause }: Outage) {
  return { provider, cause };
}

function refused(response: object): ProviderFailure {
  return { detail: 'Unexpected provider error', raw: JSON.stringify(response) };
}
