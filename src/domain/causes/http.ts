import { catalogue } from './entry.ts';
import { fix, ROTATE_KEY, SHORTEN, slowDown, TOP_UP, wait } from './next-steps.ts';

const STATUSES = 'https://www.rfc-editor.org/rfc/rfc9110#section-15';
const CLOUDFLARE = 'https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/';

/** HTTP statuses, for errors not in a provider's own catalog. */
export const http = catalogue({
  scope: 'any',
  codes: 'http',
  hosts: ['www.rfc-editor.org', 'developers.cloudflare.com', 'www.envoyproxy.io'],
  source: `${STATUSES}.5.1`,
  entries: [
    {
      code: '400',
      meaning: 'The provider refused the request as malformed: a field of the message or its settings is wrong',
      ...fix('content', "See the error's text and Raw for the field, and correct the step or the integration."),
    },
    { code: '401', meaning: 'The provider refused our credentials', ...ROTATE_KEY, source: `${STATUSES}.5.2` },
    { code: '402', meaning: 'The provider wants payment first', ...TOP_UP, source: `${STATUSES}.5.3` },
    {
      code: '403',
      meaning: "The provider knows us but doesn't allow this: a permission, sender or plan is missing",
      ...fix('credentials', "Check the permissions of the integration's key, its sender and the account's plan."),
      source: `${STATUSES}.5.4`,
    },
    {
      code: '404',
      meaning:
        'The provider found nothing at the address of this request: an ID, a template or the address itself is wrong',
      ...fix('setup', "Check the integration's settings and the IDs that the step uses."),
      source: `${STATUSES}.5.5`,
    },
    {
      code: '405',
      meaning: "The provider doesn't take this kind of request at that address",
      ...fix('setup', "Check the address in the provider's integration."),
      source: `${STATUSES}.5.6`,
    },
    {
      code: '408',
      meaning: 'The provider waited too long for the request',
      ...wait(5, 'network'),
      source: `${STATUSES}.5.9`,
    },
    {
      code: '409',
      meaning: 'The request conflicts with another one at the provider',
      ...wait(5),
      source: `${STATUSES}.5.10`,
    },
    {
      code: '410',
      meaning: 'What the request was sent to is gone for good',
      ...fix('setup', "Check the address in the integration or the subscriber's credentials."),
      source: `${STATUSES}.5.11`,
    },
    {
      code: '413',
      text: ['request entity too large', 'payload too large'],
      meaning: 'The message is larger than the provider accepts',
      ...SHORTEN,
      source: `${STATUSES}.5.14`,
    },
    {
      code: '415',
      meaning: "The provider doesn't take this content type",
      ...fix('setup', "Check the integration's settings."),
      source: `${STATUSES}.5.16`,
    },
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
    {
      code: '500',
      text: 'internal server error',
      meaning: 'The provider had an error of its own',
      ...wait(5),
      source: `${STATUSES}.6.1`,
    },
    {
      code: '501',
      meaning: "The provider doesn't offer what was asked for",
      ...fix('setup', "Check the integration's settings."),
      source: `${STATUSES}.6.2`,
    },
    {
      code: '502',
      text: ['bad gateway', '502 bad gateway'],
      meaning: 'A gateway in front of the provider got no usable answer from it',
      ...wait(5),
      source: `${STATUSES}.6.3`,
    },
    {
      code: '503',
      text: ['service unavailable', 'service temporarily unavailable', '503 service unavailable'],
      meaning: 'The provider is down or overloaded',
      ...wait(5),
      source: `${STATUSES}.6.4`,
    },
    {
      code: '504',
      text: ['gateway timeout', 'gateway time-out', '504 gateway time-out'],
      meaning: 'A gateway in front of the provider got no answer from it in time',
      ...wait(5),
      source: `${STATUSES}.6.5`,
    },
    {
      code: '520',
      meaning: "Cloudflare got an answer from the provider's server that it couldn't use",
      ...wait(5),
      source: `${CLOUDFLARE}error-520/`,
    },
    {
      code: '521',
      meaning: "Cloudflare can't connect to the provider's server: it refuses connections",
      ...wait(5),
      source: `${CLOUDFLARE}error-521/`,
    },
    {
      code: '522',
      meaning: "Cloudflare's connection to the provider's server timed out",
      ...wait(5),
      source: `${CLOUDFLARE}error-522/`,
    },
    {
      code: '523',
      meaning: "Cloudflare can't reach the provider's server",
      ...wait(5),
      source: `${CLOUDFLARE}error-523/`,
    },
    {
      code: '524',
      meaning: "The provider's server took longer than Cloudflare waits",
      ...wait(5),
      source: `${CLOUDFLARE}error-524/`,
    },
    {
      code: '525',
      meaning: "Cloudflare and the provider's server couldn't agree on TLS",
      ...wait(5),
      source: `${CLOUDFLARE}error-525/`,
    },
    {
      code: '526',
      meaning: "Cloudflare doesn't trust the certificate of the provider's server",
      ...wait(5),
      source: `${CLOUDFLARE}error-526/`,
    },
    {
      code: '530',
      meaning: "Cloudflare can't find the provider's server",
      ...wait(5),
      source: `${CLOUDFLARE}error-530/`,
    },
    {
      text: 'upstream connect error or disconnect/reset before headers',
      meaning: "A proxy in front of the provider couldn't reach it",
      ...wait(5),
      source: 'https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_conn_man/response_code_details',
    },
  ],
});
