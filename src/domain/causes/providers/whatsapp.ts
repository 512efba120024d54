import { catalogue } from '../entry.ts';
import {
  ASK_RECIPIENT,
  after,
  FIX_CONTENT,
  FIX_NUMBER,
  fix,
  RESPECT_OPT_OUT,
  ROTATE_KEY,
  SHORTEN,
  slowDown,
  TOP_UP,
  wait,
} from '../next-steps.ts';

const ERRORS = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes';

/** Errors of the WhatsApp Business Platform. */
export const whatsapp = catalogue({
  scope: { providers: ['whatsapp-business'] },
  codes: 'own',
  hosts: ['developers.facebook.com'],
  source: ERRORS,
  entries: [
    { code: 'code=0', meaning: "Meta couldn't authenticate the app: the access token isn't valid", ...ROTATE_KEY },
    {
      code: 'code=1',
      meaning: "Meta reports an unknown error: the request isn't valid, or its API had a fault",
      ...wait(5),
    },
    { code: 'code=2', meaning: "Meta's API is down or overloaded", ...wait(5) },
    {
      code: ['code=3', 'code=10'],
      meaning: 'The access token lacks a permission for WhatsApp',
      ...fix('credentials', 'Give the token whatsapp_business_messaging.'),
    },
    { code: ['code=4', '80007'], meaning: 'The app or account made more requests than Meta allows', ...slowDown(15) },
    {
      code: 'code=33',
      meaning: 'The business phone number was deleted',
      ...fix('setup', 'Correct the phone number ID in the integration.'),
    },
    {
      code: '100',
      isBroad: true,
      text: 'invalid parameter',
      meaning: 'Meta refused a parameter of the message',
      ...fix('content', "See the error's text for the parameter."),
    },
    {
      code: '190',
      text: 'error validating access token',
      meaning: 'The access token has expired',
      ...fix('credentials', "Use a token of a system user, which doesn't expire."),
    },
    {
      code: '368',
      meaning: 'Meta restricted the account for breaking a policy',
      ...fix('limits', 'Look in WhatsApp Manager which policy it is.'),
    },
    { code: '130429', meaning: "More messages were sent than the number's throughput allows", ...slowDown(5) },
    {
      code: '130472',
      meaning: "The recipient is part of an experiment of Meta, so the marketing message wasn't sent",
      ...ASK_RECIPIENT,
    },
    { code: '131000', isBroad: true, meaning: 'Meta reports an unknown error', ...wait(5) },
    {
      code: '131005',
      meaning: 'The access token lacks a permission, or it was taken away',
      ...fix('credentials', 'Give the token whatsapp_business_messaging.'),
    },
    {
      code: '131008',
      meaning: 'The message lacks a parameter',
      ...fix('content', "See the error's text for the parameter."),
    },
    {
      code: '131009',
      meaning: "A parameter's value isn't valid",
      ...fix('content', "See the error's text for the value."),
    },
    { code: '131016', meaning: 'A service of WhatsApp is unavailable at the moment', ...wait(15) },
    { code: '131021', meaning: 'Sender and recipient are the same number', ...FIX_NUMBER },
    {
      code: '131026',
      text: 'message undeliverable',
      meaning:
        "WhatsApp can't deliver to this number: it has no WhatsApp, an old version, or hasn't accepted the current terms",
      ...ASK_RECIPIENT,
    },
    {
      code: '131030',
      meaning: "The number isn't on the test account's list of allowed recipients",
      ...fix('setup', 'Add the number to the list, or leave test mode.'),
    },
    {
      code: '131031',
      meaning: 'The WhatsApp Business account is locked',
      ...fix('limits', 'Look in WhatsApp Manager why.'),
    },
    { code: '131042', meaning: 'The WhatsApp Business account has a problem with its payment', ...TOP_UP },
    {
      code: '131045',
      meaning: "The business phone number isn't registered",
      ...fix('setup', 'Register the phone number with the Cloud API.'),
    },
    {
      code: '131047',
      text: 're-engagement message',
      meaning: "More than 24 hours have passed since the recipient's last message, so free text isn't allowed",
      ...fix('setup', 'Send an approved template instead.'),
    },
    {
      code: '131048',
      meaning: "Too many earlier messages from this number were blocked or reported, so it's limited",
      ...after(
        1440,
        'limits',
        "Look in WhatsApp Manager at the number's quality, and send only what recipients asked for.",
      ),
    },
    {
      code: '131049',
      meaning: "Meta didn't deliver the marketing message, to keep the recipient from getting too many",
      ...after(1440, 'recipient', 'Wait a day at least, and send fewer marketing messages.'),
    },
    { code: '131050', meaning: 'The recipient stopped marketing messages from this business', ...RESPECT_OPT_OUT },
    {
      code: '131051',
      meaning: "WhatsApp doesn't know this type of message",
      ...fix('content', "Correct the step's overrides."),
    },
    { code: '131052', meaning: "WhatsApp couldn't download the recipient's media", ...wait(15) },
    {
      code: '131053',
      meaning: "WhatsApp couldn't upload the message's media",
      ...fix('content', "Check the media's address, type and size."),
    },
    {
      code: '131056',
      meaning: 'Too many messages were sent from this number to this recipient in a short time',
      ...after(5, 'limits', 'Send fewer messages to one recipient.'),
    },
    { code: '131057', meaning: 'The WhatsApp Business account is in maintenance mode', ...wait(60) },
    { code: '132000', meaning: 'The message has another number of variables than its template', ...FIX_CONTENT },
    {
      code: '132001',
      meaning: "The template doesn't exist in this language, or isn't approved",
      ...fix('setup', "Correct the template's name and language, or have it approved."),
    },
    { code: '132005', meaning: 'The template with its variables filled in is too long', ...SHORTEN },
    {
      code: '132007',
      meaning: "The template's content breaks a policy of WhatsApp",
      ...fix('content', 'Change the template.'),
    },
    { code: '132012', meaning: "A variable isn't in the format that its template expects", ...FIX_CONTENT },
    {
      code: '132015',
      meaning: 'The template is paused because of its low quality',
      ...fix('setup', 'Improve the template and submit it again.'),
    },
    {
      code: '132016',
      meaning: 'The template was paused too often and is disabled for good',
      ...fix('setup', 'Make a new template.'),
    },
    { code: '133004', meaning: 'The server of WhatsApp is unavailable at the moment', ...wait(15) },
    {
      code: '133010',
      meaning: "The business phone number isn't registered",
      ...fix('setup', 'Register the phone number with the Cloud API.'),
    },
  ],
});
