/** The providers that the contract lists for jobs. The service may know others. */
export const PROVIDERS: readonly string[] = (
  'emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend plunk mailersend mailtrap ' +
  'clickatell outlook365 svc-email sparkpost email-webhook braze nexmo plivo sms77 sms-central sns telnyx twilio gupshup firetext ' +
  'infobip-sms burst-sms bulk-sms isend-sms forty-six-elks kannel maqsam termii africas-talking svc-sms sendchamp generic-sms clicksend ' +
  'bandwidth messagebird simpletexting azure-sms ring-central brevo-sms eazy-sms mobishastra afro-message unifonic smsmode imedia sinch ' +
  'isendpro-sms fcm apns expo one-signal pushpad push-webhook pusher-beams appio svc slack discord msteams mattermost ryver zulip ' +
  'grafana-on-call getstream rocket-chat whatsapp-business chat-webhook svc-slack'
).split(' ');
