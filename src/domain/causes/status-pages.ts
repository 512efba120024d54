import type { PublicPage } from './entry.ts';

/** The providers' status pages, by provider ID. */
export const STATUS_PAGES: ReadonlyMap<string | null, PublicPage> = new Map([
  ['sendgrid', 'https://status.sendgrid.com/'],
  ['ses', 'https://health.aws.amazon.com/health/status'],
  ['sns', 'https://health.aws.amazon.com/health/status'],
  ['mailgun', 'https://status.mailgun.com/'],
  ['mailjet', 'https://status.mailjet.com/'],
  ['postmark', 'https://status.postmarkapp.com/'],
  ['resend', 'https://resend-status.com/'],
  ['sparkpost', 'https://status.sparkpost.com/'],
  ['sendinblue', 'https://status.brevo.com/'],
  ['brevo-sms', 'https://status.brevo.com/'],
  ['outlook365', 'https://status.cloud.microsoft/'],
  ['msteams', 'https://status.cloud.microsoft/'],
  ['twilio', 'https://status.twilio.com/'],
  ['nexmo', 'https://vonageapi.statuspage.io/'],
  ['messagebird', 'https://status.messagebird.com/'],
  ['telnyx', 'https://status.telnyx.com/'],
  ['plivo', 'https://status.plivo.com/'],
  ['fcm', 'https://status.firebase.google.com/'],
  ['apns', 'https://developer.apple.com/system-status/'],
  ['expo', 'https://status.expo.dev/'],
  ['one-signal', 'https://status.onesignal.com/'],
  ['slack', 'https://slack-status.com/'],
  ['discord', 'https://discordstatus.com/'],
  ['whatsapp-business', 'https://metastatus.com/'],
]);

/** Returns a provider's status page; null if unknown. */
export function statusPageOf(provider: string | null): PublicPage | null {
  return STATUS_PAGES.get(provider) ?? null;
}
