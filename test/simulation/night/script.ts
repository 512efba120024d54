import type { Workflow } from '../week/week.ts';
import type { Attempt } from './planted-week.ts';
import type { Act, Acting, Night } from './play-night.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const EMAIL = ['order-shipped', 'password-reset', 'payment-failed', 'welcome', 'invoice'];

const NIGHT_WORKFLOWS: readonly Workflow[] = [
  ...EMAIL.map((identifier): Workflow => ({ identifier, channel: 'email', provider: 'sendgrid', share: 0.15 })),
  { identifier: 'login-code', channel: 'sms', provider: 'twilio', share: 0.2 },
  { identifier: 'new-message', channel: 'push', provider: 'fcm', share: 0.05 },
];

export const SENDGRID = 'Email · SendGrid';
const TWILIO = 'SMS · Twilio';
const FCM = 'Push · FCM';
const REFUSED = 'The provided authorization grant is invalid';
const CARRIER = 'The carrier does not answer';
const GATEWAY = 'The push gateway is unavailable';

/** 20:00 UTC on the first evening. */
export const EVENING = Date.parse('2026-03-23T20:00:00.000Z');

/** Returns the time of 'HH:MM' or 'HH:MM:SS' in the night. Times after midnight are on the next day. */
export function at(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return EVENING + (((hours + 4) % 24) * 60 + minutes) * MINUTE + seconds * SECOND;
}

/** A time during which all attempts at a provider fail. */
export interface Outage {
  readonly provider: string;
  readonly from: number;
  readonly to: number;
  readonly cause: string;
}

/** Returns an attempt every `everyMs`, for each workflow in turn. It fails during an outage of its provider. */
export function attemptsOf(
  workflows: readonly Workflow[],
  everyMs: number,
  outages: readonly Outage[],
  range: { readonly from: number; readonly to: number },
): Attempt[] {
  const count = Math.floor((range.to - range.from) / everyMs);
  return Array.from({ length: count }, (_, index) => {
    const time = range.from + index * everyMs;
    const workflow = workflows[index % workflows.length];
    const outage = outages.find((one) => one.provider === workflow?.provider && time >= one.from && time < one.to);
    return { at: time, workflow: workflow?.identifier ?? '', failsWith: outage?.cause ?? null };
  });
}

/** Returns the outages of a cause that fails for `failsMs` in every `everyMs`. */
export function flapping(
  provider: string,
  cause: string,
  from: number,
  times: number,
  everyMs: number,
  failsMs: number,
): Outage[] {
  return Array.from({ length: times }, (_, index) => {
    const begins = from + index * everyMs;
    return { provider, cause, from: begins, to: begins + failsMs };
  });
}

const OUTAGES: readonly Outage[] = [
  { provider: 'sendgrid', from: at('20:10'), to: at('20:25'), cause: REFUSED },
  { provider: 'sendgrid', from: at('20:28'), to: at('20:33'), cause: REFUSED },
  { provider: 'sendgrid', from: at('21:13'), to: at('21:18'), cause: REFUSED },
  ...flapping('sendgrid', REFUSED, at('22:00'), 15, 4 * MINUTE, MINUTE),
  { provider: 'twilio', from: at('20:15'), to: at('20:40'), cause: CARRIER },
  { provider: 'twilio', from: at('20:55'), to: at('20:58'), cause: CARRIER },
  { provider: 'fcm', from: at('20:50'), to: at('21:20'), cause: GATEWAY },
];

const NIGHT = { from: EVENING, to: at('23:10') };

/** Returns one night of #oncall: every kind of trouble that an incident can be in, and everything that people can do about one. */
export function theNight(): Night {
  const of = (provider: string) => NIGHT_WORKFLOWS.filter((workflow) => workflow.provider === provider);
  return {
    ...NIGHT,
    workflows: NIGHT_WORKFLOWS,
    attempts: [
      ...attemptsOf(of('sendgrid'), 2 * SECOND, OUTAGES, NIGHT),
      ...attemptsOf(of('twilio'), 5 * SECOND, OUTAGES, NIGHT),
      ...attemptsOf(of('fcm'), 10 * SECOND, OUTAGES, NIGHT),
    ],
    acts: ACTS,
    slackAway: [{ from: at('20:16'), to: at('20:18') }],
    pollMs: MINUTE,
  };
}

const target = ({ incidentAt }: Acting, place: string) => ({ messageId: null, episodeId: incidentAt(place) });

/** Mutes the open incident at a place or, if that is null, the whole watch. */
export const muting = (clock: string, words: string, place: string | null, until: string): Act => ({
  ...{ at: at(clock), words },
  run: async (night) => {
    const { store, watchId, planted, mutes } = night;
    const now = night.now();
    const incident = place === null ? null : planted.openAt(place).incident;
    const on = place === null ? null : await store.incidents.actedOn(target(night, place), now);
    const groupKey = on?.newest.tally.group.key ?? null;
    await store.incidents.mute(watchId, groupKey, { by: 'U0BEN', until: new Date(at(until)) }, now);
    mutes.begins({ channel: 'C0ONCALL', incident, from: now.getTime(), until: at(until) });
  },
});

const ACTS: readonly Act[] = [
  {
    at: at('20:19:10'),
    words: 'Ann acknowledges the incident at SendGrid',
    run: async (night) => void (await night.store.incidents.acknowledge(target(night, SENDGRID), 'U0ANN', night.now())),
  },
  {
    at: at('20:20:20'),
    words: 'Ann assigns it to Ben',
    run: async (night) =>
      void (await night.store.incidents.assign(target(night, SENDGRID), { to: 'U0BEN', by: 'U0ANN', at: night.now() })),
  },
  muting('20:22:10', 'Ben mutes the row of Twilio until 20:50', TWILIO, '20:50'),
  muting('20:30:10', 'Ben types /notif mute for the incident at Twilio, until 21:10', TWILIO, '21:10'),
  muting('20:45', 'Ben mutes the watch until 21:00', null, '21:00'),
  {
    at: at('21:14:40'),
    words: 'Ann resolves the incident at FCM, too early',
    run: async (night) => {
      await night.store.incidents.resolve(target(night, FCM), 'U0ANN', night.now());
      night.planted.resolvesAt(FCM, night.now().getTime());
    },
  },
  {
    at: at('23:03:10'),
    words: 'Ben resolves the incident at SendGrid',
    run: async (night) => {
      await night.store.incidents.resolve(target(night, SENDGRID), 'U0BEN', night.now());
      night.planted.resolvesAt(SENDGRID, night.now().getTime());
    },
  },
];
