/**
 * Secrets and personal data that the sandbox plants where the real service has been seen to leak them. All are invented. A test of the bot
 * can search for each of these in everything that the bot posted, stored or logged.
 */
export const plantedSecrets = {
  authorization: 'Bearer SG.sandbox-0f3c9a61.Zx81mKq0sandboxNotARealKey7Wd2',
  basicAuthorization: 'Basic QUNzYW5kYm94OnNhbmRib3gtYXV0aC10b2tlbg==',
  apiKey: 'sandbox-provider-key-8841f0c2d7',
  webhookUrl: 'https://hooks.slack.com/services/T0SANDBOX/B0SANDBOX/n0tARealW3bh00kOfAnyone',
  deviceToken: 'fcm-sandbox-device:APA91bSANDBOXq7Lk2vXo0PzNotARealDevice5501',
  smtpUser: 'smtp-relay@mailer.sandbox.example',
  smtpPassword: 'sandbox-smtp-p4ssw0rd',
  serviceAccount: '-----BEGIN SANDBOX KEY-----MIIsandboxNotARealKey-----END SANDBOX KEY-----',
  email: 'dana.private@customer.sandbox.example',
  phone: '+4915550104477',
} as const;
