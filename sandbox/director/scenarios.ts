import type { Fault as ServiceFault } from '../service/faults.ts';
import type { Random } from '../service/random.ts';
import { startRuns } from '../service/runs.ts';
import type { LocalService } from '../service/server.ts';
import { noAccidents, type Outage } from '../service/world.ts';
import type { Fault as SlackFault } from '../slack/faults.ts';
import type { LocalSlack } from '../slack/server.ts';
import {
  expiredKey,
  noCertificate,
  OUTAGES,
  outOfCredits,
  type ScenarioOutage,
  suspendedAccount,
  suspendedSubaccount,
  throttledBySes,
  unverifiedSender,
} from './outages.ts';

export interface Stage {
  readonly service: Pick<LocalService, 'world' | 'faults' | 'goAway' | 'comeBack'>;
  readonly slack: Pick<LocalSlack, 'faults'>;
}

/** Ends what a window has begun, without ending others of its kind. */
export type End = () => unknown;

/** Something that goes wrong, or right, and its time in milliseconds of scenario time. A momentary one has the same `from` and `to`. */
export interface FaultWindow {
  readonly from: number;
  readonly to: number;
  readonly what: string;
  readonly begin: (stage: Stage) => End;
}

export interface Scenario {
  /** The name in URLs and on the command line. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the user should see in Slack, from the start to the recovery. */
  readonly lookFor: string;
  /** Minutes of scenario time, which is real time at speed 1. */
  readonly minutes: number;
  /** Whether other scenarios stop when it begins. */
  readonly alone?: true;
  /** Returns what happens when; the same random numbers give the same plan. No window ends after `minutes`. */
  readonly plan: (random: Random) => readonly FaultWindow[];
}

const SECOND = 1_000;
const MINUTE = 60_000;

const window = (from: number, to: number, what: string, begin: FaultWindow['begin']): FaultWindow => {
  return { from: from * MINUTE, to: to * MINUTE, what, begin };
};

const outage = (from: number, to: number, { provider, what, cause }: ScenarioOutage, given: Partial<Outage> = {}) =>
  window(from, to, what, ({ service }) => service.world.startOutage(provider, { cause, ...given }));

/** Time in which recovery can be seen. */
const quiet = (from: number, to: number, what: string) => window(from, to, what, () => () => {});

const service = (from: number, to: number, what: string, fault: ServiceFault) =>
  window(from, to, what, ({ service: { faults } }) => faults.set('all', fault));

const slack = (from: number, to: number, what: string, method: string, fault: SlackFault, times?: number) =>
  window(from, to, what, ({ slack: { faults } }) => faults.next(method, fault, times ?? Number.POSITIVE_INFINITY));

const sockets = (at: number, act: 'cut' | 'refreshed') =>
  window(at, at, `The connections are ${act}`, ({ slack: { faults } }) => {
    if (act === 'cut') faults.dropSockets();
    else faults.refreshSockets();
    return () => {};
  });

const slow = (from: number, to: number, seconds: number) =>
  service(from, to, `Each answer takes ${seconds} seconds`, { kind: 'slow', ms: seconds * SECOND });

/** Makes the service not listen. */
const gone = (from: number, to: number) =>
  window(from, to, 'The connection is refused', ({ service: { goAway, comeBack } }) => {
    const left = goAway();
    return () => left.then(comeBack);
  });

/** What receiving servers say when they no longer trust a sender. */
const mistrust = [
  '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org',
  '550 5.7.26 This message does not pass authentication checks (SPF and DKIM both do not pass)',
] as const;

type Mistake = readonly [template: string, error: string];

/** Errors in a new version of a template, in the words of the service's template engine, by workflow and step. */
const mistakes: readonly [Mistake, ...Mistake[]] = [
  ['order-shipped email', 'Liquid error: undefined variable payload.parcel.number (line 14)'],
  ['password-reset email', "Liquid error: tag 'endif' has no matching 'if' (line 31)"],
  ['order-shipped in_app', 'Liquid error: undefined filter: currencey (line 3)'],
];

const CROWD = 5_000;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'calm',
    title: 'Calm',
    description: 'Ten minutes in which production delivers every notification. What else is playing stops.',
    lookFor: 'No new alert, but for what was sent before: bounces that come late, steps that are stuck.',
    minutes: 10,
    alone: true,
    plan: () => [window(0, 10, 'Everything is delivered', (stage) => stage.service.world.changeAccidents(noAccidents))],
  },
  {
    name: 'provider-outage',
    title: 'Provider outage',
    description:
      'For three minutes a provider refuses everything, for one reason. The seed says which: with 1, SendGrid a key.',
    lookFor:
      'One alert over all workflows, within a poll, that counts on in place. Ten times as much, and the first critical workflow, are a new message. Played again after it recovered, the incident relapses, in a new message.',
    minutes: 4,
    plan: (random) => [outage(0, 3, random.pick(OUTAGES)), quiet(3, 4, 'It is sent again: the rows stop counting')],
  },
  {
    name: 'changed-integration',
    title: 'An integration is changed, then it fails',
    description:
      'Somebody moves SendGrid to another account, without its inbound webhook. A minute and a half later it refuses the sender, for three minutes.',
    lookFor:
      'The row of the incident names the change, and how long before the first failure it was made. /notif changes lists it, and after the end that it was taken back.',
    minutes: 6,
    plan: () => [
      window(0, 5, 'SendGrid has another account, and no inbound webhook', ({ service: { world } }) =>
        world.changeIntegration('sendgrid', {
          name: 'SendGrid EU',
          configurations: { inboundWebhookEnabled: false },
        }),
      ),
      outage(1.5, 4.5, unverifiedSender),
      quiet(4.5, 6, 'It is sent again'),
    ],
  },
  {
    name: 'one-tenant',
    title: 'One tenant is hit',
    description: 'For six minutes SendGrid refuses what is sent for the tenant acme, a quarter of all emails.',
    lookFor:
      'From ten failed events on, the row of the incident says that all of them are of tenant:acme, and what share of all events that usually is. View affected counts them by tenant.',
    minutes: 8,
    plan: () => [outage(0, 6, suspendedSubaccount, { contextKey: 'tenant:acme' }), quiet(6, 8, 'It is sent again')],
  },
  {
    name: 'bounce-storm',
    title: 'Bounce storm',
    description:
      'For three minutes most emails are taken, and come back one to three minutes after they were delivered.',
    lookFor:
      'Events that were delivered become 🟠 bounced. Notif checks each again 2 and 10 minutes after it was made: so it reports a storm although nothing that is new has failed.',
    minutes: 6,
    plan: (random) => {
      const storm = { share: random.between(50, 80) / 100, reason: random.pick(mistrust) };
      const what = `${Math.round(storm.share * 100)}% of the emails that are delivered will bounce`;
      return [
        window(0, 3, what, ({ service: { world } }) => {
          world.bounceStorm = storm;
          return () => {
            world.bounceStorm = null;
          };
        }),
        quiet(3, 6, 'Nothing new bounces; the last webhooks come in'),
      ];
    },
  },
  {
    name: 'bad-template-deploy',
    title: 'Bad template deploy',
    description: 'A new version of a template cannot be rendered. It is rolled back two and a half minutes later.',
    lookFor:
      'One incident of one workflow, with the line of the template that is wrong; other workflows of the same provider are fine.',
    minutes: 4,
    plan: (random) => {
      const [template, error] = random.pick(mistakes);
      return [
        window(0, 2.5, `The new template of ${template} cannot be rendered`, ({ service: { world } }) => {
          world.brokenTemplates.set(template, error);
          return () => world.brokenTemplates.delete(template);
        }),
        quiet(2.5, 4, 'Rolled back: it is delivered again'),
      ];
    },
  },
  {
    name: 'topic-fan-out',
    title: 'Topic fan-out of 5,000',
    description:
      'One trigger to a topic of 5,000 people: as many events, with one transaction id. Amazon SES throttles some.',
    lookFor:
      'One incident for all that SES refused, with its share. “/notif event” with its transaction id sums up 5,000 subscribers and leads to those that failed.',
    minutes: 3,
    plan: (random) => [
      outage(0, 2, throttledBySes, { share: random.between(2, 5) / 100 }),
      window(0.1, 0.1, 'One trigger reaches 5,000 people', (stage) => reachEverybody(stage, random)),
    ],
  },
  {
    name: 'service-down',
    title: 'Service down',
    description:
      'Production answers with a gateway’s page (503) at first; then nothing listens there, for six minutes in all.',
    lookFor:
      'Commands say at once what is wrong, and staging still works. After five minutes #oncall gets a message that production cannot be read; then that it can again, and that nothing was missed.',
    minutes: 7,
    plan: () => [
      service(0, 0.75, 'The gateway answers 503', { kind: 'html', status: 503 }),
      gone(0.75, 6),
      quiet(6, 7, 'The service is back'),
    ],
  },
  {
    name: 'service-slow',
    title: 'Service slow',
    description: 'Each answer of production takes seconds, then longer than anybody waits, then seconds again.',
    lookFor:
      'Every command and click is still acknowledged at once; answers come later, or say that the service did not answer in time. “/notif status” says how far it has checked.',
    minutes: 4,
    plan: () => [slow(0, 1.25, 3), slow(1.25, 2.5, 15), slow(2.5, 4, 3)],
  },
  {
    name: 'slack-rate-limit',
    title: 'Slack rate limit',
    description:
      'Slack refuses new messages and edits for two minutes (429, with Retry-After), while Twilio refuses everything.',
    lookFor:
      'Nothing in #oncall for two minutes, while commands are still answered. Then one alert with all that was held back: nothing is lost, and no message comes twice.',
    minutes: 4,
    plan: () => [
      outage(0, 3, suspendedAccount),
      ...['chat.postMessage', 'chat.update'].map((method) =>
        slack(0, 2, `Slack answers ${method} with 429`, method, { kind: 'rate-limited', retryAfterSeconds: 15 }),
      ),
      quiet(3, 4, 'Twilio is back'),
    ],
  },
  {
    name: 'older-slack',
    title: 'Older Slack',
    description:
      'For five minutes Slack refuses data tables, charts, containers and alerts, like a workspace that doesn’t have them yet.',
    lookFor: 'Lists and charts, such as /notif chart, come as text with the same rows; nothing is lost.',
    minutes: 5,
    plan: () => [window(0, 5, 'Slack refuses the newer blocks', (stage) => stage.slack.faults.refuseNewerBlocks())],
  },
  {
    name: 'socket-drop',
    title: 'Socket drop',
    description:
      'For two minutes the bot’s connections to Slack are cut again and again, and once refreshed in an orderly way.',
    lookFor:
      '“Notif is not connected” for a moment, then it is again. A command typed meanwhile is answered once; at a refresh nothing is missed at all.',
    minutes: 2,
    plan: () => [
      quiet(0, 2, 'Connections break now and then'),
      ...[0, 0.4, 1.4, 1.8].map((at) => sockets(at, 'cut')),
      sockets(0.9, 'refreshed'),
    ],
  },
  {
    name: 'lost-answers',
    title: 'Lost answers',
    description:
      'Slack carries out what it is asked to, and the connection breaks before it says so; SendGrid refuses everything meanwhile.',
    lookFor: 'One alert for the incident, not two: the bot looks into the channel for what it cannot know.',
    minutes: 3,
    plan: () => [
      outage(0, 2, unverifiedSender),
      ...['chat.postMessage', 'chat.update'].map((method) =>
        slack(0, 2, `Three answers of ${method} get lost`, method, { kind: 'reset', when: 'after' }, 3),
      ),
      quiet(2, 3, 'SendGrid takes everything again'),
    ],
  },
  {
    name: 'slack-away',
    title: 'Slack away',
    description:
      'Twilio refuses everything for six minutes. From the first to the third minute Slack cannot be reached: connections are cut, and every call breaks.',
    lookFor:
      'Nothing for two minutes; then one message with what happened meanwhile, and what is over by then marked as over. Nothing is lost, and nothing comes twice.',
    minutes: 12,
    plan: () => [
      outage(0, 6, suspendedAccount),
      slack(1, 3, 'Slack cannot be reached', '*', { kind: 'reset', when: 'before' }),
      sockets(1, 'cut'),
      quiet(6, 12, 'Twilio is back'),
    ],
  },
  {
    name: 'relapse',
    title: 'Relapse',
    description:
      'SendGrid refuses a key for four minutes, in every workflow that sends email; it works again, and the same happens again after 3 and after 40 minutes.',
    lookFor:
      'One incident over all workflows, marked as recovered once it is. Each relapse is news at once, also within half an hour, and counts from its own beginning. A note that somebody adds to the first is in the row of the second.',
    minutes: 58,
    plan: () => [
      outage(0, 4, expiredKey),
      quiet(4, 7, 'SendGrid works again'),
      outage(7, 9, expiredKey),
      quiet(9, 49, 'SendGrid works again, for 40 minutes'),
      outage(49, 51, expiredKey),
      quiet(51, 58, 'SendGrid works again'),
    ],
  },
  {
    name: 'second-cause',
    title: 'A second cause during the first',
    description:
      'SendGrid refuses a key for six minutes. Two minutes into that, Firebase misses a certificate, for four.',
    lookFor: 'Two incidents, each with its own start, count and end; the second is alerted although the first is open.',
    minutes: 13,
    plan: () => [outage(0, 6, expiredKey), outage(2, 6, noCertificate), quiet(6, 13, 'Both work again')],
  },
  {
    name: 'flapping',
    title: 'Flapping',
    description: 'For an hour SendGrid refuses everything for a minute, and takes everything for three.',
    lookFor:
      'The first relapse is a new message at once, the later ones after ever longer pauses; the row between them stays true.',
    minutes: 60,
    plan: () =>
      Array.from({ length: 15 }, (_, time) => [
        outage(time * 4, time * 4 + 1, outOfCredits),
        quiet(time * 4 + 1, time * 4 + 4, 'SendGrid works again, for three minutes'),
      ]).flat(),
  },
];

/** Sends one trigger to a topic of 5,000 people, of whom two in a hundred have no address. */
function reachEverybody({ service: { world } }: Stage, random: Random): End {
  const workflow = world.workflows.get('product-launch');
  const people = Array.from({ length: CROWD }, (_, index) => `launch-${index + 1}`);
  world.plantTopic('launch', people);
  for (const id of people) {
    if (!random.chance(0.02)) world.subscriber(id).email = `${id}@crowd.sandbox.example`;
  }
  const transactionId = `txn_${random.hex(24)}`;
  const trigger = { transactionId, payload: { product: 'Notif' }, overrides: {}, topics: ['launch'], contextKeys: [] };
  if (workflow) startRuns(world, people, { workflow, ...trigger });
  return () => {};
}
