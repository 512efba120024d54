import { catalogue } from '../entry.ts';
import { ASK_RECIPIENT, FIX_CONTENT, fix, ROTATE_KEY, SHORTEN, slowDown, wait } from '../next-steps.ts';

const ERRORS = 'https://discord.com/developers/docs/topics/opcodes-and-status-codes#json';
const RATE_LIMITS = 'https://discord.com/developers/docs/topics/rate-limits';

/** Errors of Discord. */
export const discord = catalogue({
  scope: { providers: ['discord'] },
  codes: 'own',
  hosts: ['discord.com'],
  source: ERRORS,
  entries: [
    {
      code: '10003',
      text: 'unknown channel',
      meaning: "The channel doesn't exist any longer",
      ...fix('recipient', "Correct the webhook in the subscriber's credentials."),
    },
    {
      code: '10004',
      text: 'unknown guild',
      meaning: "The server doesn't exist any longer, or the app was removed from it",
      ...fix('recipient', "Correct the webhook in the subscriber's credentials."),
    },
    {
      code: ['10015', '404', '410'],
      text: 'unknown webhook',
      meaning: 'The webhook was deleted, or its address is wrong',
      ...fix('recipient', "Make a new webhook, and replace its address in the subscriber's credentials."),
    },
    { code: '20016', meaning: "The channel's slow mode doesn't allow another message yet", ...slowDown(5) },
    {
      code: ['20028', '20029'],
      meaning: 'The channel or server gets more messages than Discord allows',
      ...slowDown(5),
    },
    { code: '40001', meaning: 'Discord refused the token', ...ROTATE_KEY },
    { code: '40005', meaning: 'The message or its files are larger than Discord accepts', ...SHORTEN },
    { code: '40062', meaning: 'Discord limits requests to this service at the moment', ...slowDown(5) },
    {
      code: '403',
      meaning: "Discord doesn't allow the webhook to post there",
      ...fix('recipient', "Make a new webhook, and replace its address in the subscriber's credentials."),
    },
    {
      code: '50001',
      text: 'missing access',
      meaning: "The app can't see this channel",
      ...fix('recipient', 'Give the app or webhook access to the channel.'),
    },
    { code: '50006', text: 'cannot send an empty message', meaning: 'The message has no content', ...FIX_CONTENT },
    {
      code: '50007',
      text: 'cannot send messages to this user',
      meaning: 'The user takes no messages from the app',
      ...ASK_RECIPIENT,
    },
    {
      code: '50008',
      meaning: "Messages can't be sent to this kind of channel",
      ...fix('recipient', 'Use a text channel.'),
    },
    {
      code: '50013',
      meaning: 'The app lacks a permission in this channel',
      ...fix('recipient', 'Give the app or webhook the permission to send messages there.'),
    },
    {
      code: ['50027', '401'],
      text: 'invalid webhook token',
      meaning: "The token in the webhook's address isn't valid",
      ...fix('recipient', "Replace the webhook's address in the subscriber's credentials."),
    },
    {
      code: '50035',
      isBroad: true,
      text: 'invalid form body',
      meaning: "Discord refused a field of the message, for example because it's too long",
      ...SHORTEN,
    },
    {
      code: '50083',
      meaning: 'The thread is archived',
      ...fix('recipient', 'Unarchive the thread, or use the channel.'),
    },
    { code: '130000', meaning: 'Discord is overloaded', ...wait(5) },
    {
      code: '200000',
      meaning: "The server's AutoMod blocked the message",
      ...fix('content', "Change the content, or ask the server's admin for an exception."),
    },
    {
      code: '220001',
      meaning: 'A webhook in a forum channel needs the name of a thread',
      ...fix('setup', "Set thread_name in the step's overrides."),
    },
    {
      code: '240000',
      meaning: "Discord's filter for harmful links blocked the message",
      ...fix('content', 'Remove the link.'),
    },
    {
      text: 'you are being rate limited',
      meaning: "More messages were sent than Discord's rate limit allows",
      ...slowDown(1),
      source: RATE_LIMITS,
    },
  ],
});
