import { plantedSecrets as secret } from './planted-secrets.ts';

/** What jobs and details can be sent through, besides what life always uses (contract, the list after "ActivityStep"). */
// biome-ignore format: rows of names read better than eighty lines
export const otherJobProviders = [
  'emailjs', 'mailgun', 'mailjet', 'mandrill', 'nodemailer', 'postmark', 'sendinblue', 'ses', 'netcore', 'infobip-email', 'resend', 'plunk', 'mailersend', 'mailtrap',
  'clickatell', 'outlook365', 'svc-email', 'sparkpost', 'email-webhook', 'braze', 'nexmo', 'plivo', 'sms77', 'sms-central', 'sns', 'telnyx', 'gupshup', 'firetext',
  'infobip-sms', 'burst-sms', 'bulk-sms', 'isend-sms', 'forty-six-elks', 'kannel', 'maqsam', 'termii', 'africas-talking', 'svc-sms', 'sendchamp', 'generic-sms',
  'clicksend', 'bandwidth', 'messagebird', 'simpletexting', 'azure-sms', 'ring-central', 'brevo-sms', 'eazy-sms', 'mobishastra', 'afro-message', 'unifonic', 'smsmode',
  'imedia', 'sinch', 'isendpro-sms', 'discord', 'msteams', 'mattermost', 'ryver', 'zulip', 'grafana-on-call', 'getstream', 'rocket-chat', 'whatsapp-business',
  'chat-webhook', 'svc-slack', 'apns', 'expo', 'one-signal', 'pushpad', 'push-webhook', 'pusher-beams', 'appio',
] as const;

/** Every name that an integration's credentials can have (contract, "IntegrationCredentials"). */
// biome-ignore format: rows of names read better than forty lines
const credentialTexts = [
  'apiKey', 'user', 'secretKey', 'domain', 'password', 'host', 'port', 'region', 'accountSid', 'messageProfileId', 'token', 'from', 'senderName', 'projectName',
  'applicationId', 'clientId', 'baseUrl', 'webhookUrl', 'redirectUrl', 'serviceAccount', 'ipPoolName', 'apiKeyRequestHeader', 'secretKeyRequestHeader', 'idPath',
  'datePath', 'apiToken', 'authenticationTokenKey', 'instanceId', 'alertUid', 'title', 'imageUrl', 'state', 'externalLink', 'channelId', 'phoneNumberIdentification',
  'accessKey', 'appSid', 'senderId', 'AppIOBaseUrl',
] as const;

/** An integration's credentials with every field; each text is a planted secret. */
export const rarerIntegrationCredentials = {
  ...Object.fromEntries(credentialTexts.map((name) => [name, secret.smtpPassword])),
  ...{ secure: true, requireTls: true, ignoreTls: false, hmac: false, authenticateByToken: false },
  tlsOptions: { minVersion: 'TLSv1.3' },
};
