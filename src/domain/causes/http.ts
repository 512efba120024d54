import { catalogue } from './entry.ts';
import { CHECK_SETTINGS, fix, ROTATE_KEY, SHORTEN, slowDown, TOP_UP, wait } from './next-steps.ts';

const STATUSES = 'https://www.rfc-editor.org/rfc/rfc9110#section-15';
const CLOUDFLARE = 'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/';

/** HTTP statuses, for errors not in a provider's own catalog. */
export const http = catalogue({
  scope: 'any',
  codes: 'http',
  hosts: ['www.rfc-editor.org', 'developers.cloudflare.com', 'www.envoyproxy.io'],
  // RFC 9110 has a section for each status: 15.5.1 is on 400, 15.6.1 on 500.
  source: (status) =>
    status >= '520'
      ? `${CLOUDFLARE}error-${status}/`
      : `${STATUSES}.${Number(status[0]) + 1}.${Number(status.slice(1)) + 1}`,
  entries: [
    {
      code: '400',
      meaning: 'The provider refused the request as malformed: a field of the message or its settings is wrong',
      ...fix('content', "See the error's text and Raw for the field, and correct the step or the integration."),
    },
    { code: '401', meaning: 'The provider refused our credentials', ...ROTATE_KEY },
    { code: '402', meaning: 'The provider wants payment first', ...TOP_UP },
    {
      code: '403',
      meaning: "The provider knows us but doesn't allow this: a permission, sender or plan is missing",
      ...fix('credentials', "Check the permissions of the integration's key, its sender and the account's plan."),
    },
    {
      code: '404',
      meaning:
        'The provider found nothing at the address of this request: an ID, a template or the address itself is wrong',
      ...fix('setup', "Check the integration's settings and the IDs that the step uses."),
    },
    {
      code: '405',
      meaning: "The provider doesn't take this kind of request at that address",
      ...fix('setup', "Check the address in the provider's integration."),
    },
    { code: '408', meaning: 'The provider waited too long for the request', ...wait(5, 'network') },
    { code: '409', meaning: 'The request conflicts with another one at the provider', ...wait(5) },
    {
      code: '410',
      meaning: 'What the request was sent to is gone for good',
      ...fix('setup', "Check the address in the integration or the subscriber's credentials."),
    },
    {
      code: '413',
      text: ['request entity too large', 'payload too large'],
      meaning: 'The message is larger than the provider accepts',
      ...SHORTEN,
    },
    { code: '415', meaning: "The provider doesn't take this content type", ...CHECK_SETTINGS },
    {
      code: '422',
      meaning: 'The provider understood the request but refused a value in it',
      ...fix('content', "See the error's text and Raw for the field, and correct the step or the subscriber."),
      source: `${STATUSES}.5.21`,
    },
    {
      code: '429',
      text: ['too many requests', 'rate limit exceeded'],
      meaning: "The provider's rate limit is used up",
      ...slowDown(5),
      source: 'https://www.rfc-editor.org/rfc/rfc6585#section-4',
    },
    {
      code: '431',
      meaning: "The request's headers are larger than the provider accepts",
      ...fix('setup', "Check the integration's settings: a token or header there is too long."),
      source: 'https://www.rfc-editor.org/rfc/rfc6585#section-5',
    },
    { code: '500', text: 'internal server error', meaning: 'The provider had an error of its own', ...wait(5) },
    { code: '501', meaning: "The provider doesn't offer what was asked for", ...CHECK_SETTINGS },
    {
      code: '502',
      text: ['bad gateway', '502 bad gateway'],
      meaning: 'A gateway in front of the provider got no usable answer from it',
      ...wait(5),
    },
    {
      code: '503',
      text: ['service unavailable', 'service temporarily unavailable', '503 service unavailable'],
      meaning: 'The provider is down or overloaded',
      ...wait(5),
    },
    {
      code: '504',
      text: ['gateway timeout', 'gateway time-out', '504 gateway time-out'],
      meaning: 'A gateway in front of the provider got no answer from it in time',
      ...wait(5),
    },
    { code: '520', meaning: "Cloudflare got an answer from the provider's server that it couldn't use", ...wait(5) },
    { code: '521', meaning: "Cloudflare can't connect to the provider's server: it refuses connections", ...wait(5) },
    { code: '522', meaning: "Cloudflare's connection to the provider's server timed out", ...wait(5) },
    { code: '523', meaning: "Cloudflare can't reach the provider's server", ...wait(5) },
    { code: '524', meaning: "The provider's server took longer than Cloudflare waits", ...wait(5) },
    { code: '525', meaning: "Cloudflare and the provider's server couldn't agree on TLS", ...wait(5) },
    { code: '526', meaning: "Cloudflare doesn't trust the certificate of the provider's server", ...wait(5) },
    { code: '530', meaning: "Cloudflare can't find the provider's server", ...wait(5) },
    {
      text: 'upstream connect error or disconnect/reset before headers',
      meaning: "A proxy in front of the provider couldn't reach it",
      ...wait(5),
      source: 'https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_conn_man/response_code_details',
    },
  ],
});
