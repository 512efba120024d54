import type { Catalogue } from './entry.ts';
import { http } from './http.ts';
import { network } from './network.ts';
import { apns } from './providers/apns.ts';
import { aws } from './providers/aws.ts';
import { brevo } from './providers/brevo.ts';
import { chatWebhooks } from './providers/chat-webhooks.ts';
import { discord } from './providers/discord.ts';
import { expo } from './providers/expo.ts';
import { fcm } from './providers/fcm.ts';
import { infobip } from './providers/infobip.ts';
import { mailgun } from './providers/mailgun.ts';
import { mailjet } from './providers/mailjet.ts';
import { messagebird } from './providers/messagebird.ts';
import { msteams } from './providers/msteams.ts';
import { onesignal } from './providers/onesignal.ts';
import { plivo } from './providers/plivo.ts';
import { postmark } from './providers/postmark.ts';
import { resend } from './providers/resend.ts';
import { sendgrid } from './providers/sendgrid.ts';
import { ses } from './providers/ses.ts';
import { slack } from './providers/slack.ts';
import { sns } from './providers/sns.ts';
import { sparkpost } from './providers/sparkpost.ts';
import { telnyx } from './providers/telnyx.ts';
import { twilio } from './providers/twilio.ts';
import { vonage } from './providers/vonage.ts';
import { whatsapp } from './providers/whatsapp.ts';
import { serviceSentences } from './service-sentences.ts';
import { smtp } from './smtp.ts';

/** All catalogs: each provider's, then the common ones. */
export const CATALOGUES: readonly Catalogue[] = [
  apns,
  aws,
  brevo,
  chatWebhooks,
  discord,
  expo,
  fcm,
  infobip,
  mailgun,
  mailjet,
  messagebird,
  msteams,
  onesignal,
  plivo,
  postmark,
  resend,
  sendgrid,
  ses,
  slack,
  sns,
  sparkpost,
  telnyx,
  twilio,
  vonage,
  whatsapp,
  smtp,
  serviceSentences,
  network,
  http,
];
