import { CHANNELS } from '../delivery-channels.ts';
import { asIs, fold } from '../fold.ts';
import { nearest } from '../nearest.ts';
import { SEVERITIES } from './failure.ts';
import {
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  type FilterWith,
  filterBy,
} from './failure-filter.ts';

/** The providers that the contract lists for jobs. The service may know others. */
const PROVIDERS: readonly string[] = (
  'emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend plunk mailersend mailtrap ' +
  'clickatell outlook365 svc-email sparkpost email-webhook braze nexmo plivo sms77 sms-central sns telnyx twilio gupshup firetext ' +
  'infobip-sms burst-sms bulk-sms isend-sms forty-six-elks kannel maqsam termii africas-talking svc-sms sendchamp generic-sms clicksend ' +
  'bandwidth messagebird simpletexting azure-sms ring-central brevo-sms eazy-sms mobishastra afro-message unifonic smsmode imedia sinch ' +
  'isendpro-sms fcm apns expo one-signal pushpad push-webhook pusher-beams appio svc slack discord msteams mattermost ryver zulip ' +
  'grafana-on-call getstream rocket-chat whatsapp-business chat-webhook svc-slack'
).split(' ');

/** `meant`: a similar name that was seen. */
export interface UnseenName {
  readonly filter: FilterName;
  readonly noun: string;
  readonly name: string;
  readonly meant: string | null;
}

export type SeenNames = { readonly [Name in FilterName]?: readonly string[] };

/** How many names of each kind the store lists for all environments; with as many there may be more. */
export const MOST_KNOWN_NAMES = 2_000;

export type KnownNames = Required<Pick<SeenNames, FilterWith<'names'>>>;

/** Names from the contract, known before anything was seen. */
const ALWAYS: { readonly [Name in FilterName]?: readonly string[] } = {
  channels: [...CHANNELS, 'digest', 'trigger', 'delay', 'throttle', 'custom'],
  severities: SEVERITIES,
  providers: PROVIDERS,
};

export function namingFilters(filter: FailureFilter): readonly FilterName[] {
  return FILTER_NAMES.filter((name) => FAILURE_FILTERS[name].values !== 'closed list' && filter[name].length > 0);
}

/** Returns what of a filter can hide a mistyped name among others, although something was found: lists of several values. */
export function severalIn(filter: FailureFilter): FailureFilter {
  return filterBy((name) => (filter[name].length > 1 ? filter[name] : []));
}

/** Returns the names of a filter that were never seen, as far as `seen` has its kind; compared as in failures. */
export function unseenNames(filter: FailureFilter, seen: SeenNames): UnseenName[] {
  return FILTER_NAMES.filter((name) => seen[name] !== undefined).flatMap((name) => {
    const { noun, compares } = FAILURE_FILTERS[name];
    const names = [...(seen[name] ?? []), ...(ALWAYS[name] ?? [])];
    const as = compares === 'exactly' ? asIs : fold;
    const known = new Set(names.map(as));
    return filter[name]
      .filter((one) => !known.has(as(one)))
      .map((one) => ({ filter: name, noun, name: one, meant: nearest(one, names) }));
  });
}
