import { bounceReasons } from '../service/provider-failures.ts';
import type { Random } from '../service/random.ts';
import { RECORDINGS } from '../service/recordings.ts';
import { changeTemporarily, noAccidents, type World } from '../service/world.ts';
import {
  behaves,
  dozen,
  during,
  type FaultWindow,
  MINUTE,
  outage,
  reachEverybody,
  recorded,
  service,
  slack,
  slow,
  sockets,
  uneventful,
} from './windows.ts';

export interface Scenario {
  name: string;
  title: string;
  description: string;
  lookFor: string;
  minutes: number;
  /** Starting it stops all other scenarios. */
  alone?: true;
  /** Returns what happens when; the same random numbers give the same plan. No window ends after `minutes`. */
  plan: (random: Random) => readonly FaultWindow[];
}

type Mistake = readonly [template: string, error: string];

/** Errors in a new version of a template: its workflow and step, and the words of the service's template engine. */
export const MISTAKES: readonly [Mistake, ...Mistake[]] = [
  ['order-shipped email', 'Liquid error: undefined variable payload.parcel.number (line 14)'],
  ['password-reset email', "Liquid error: tag 'endif' has no matching 'if' (line 31)"],
  ['order-shipped in_app', 'Liquid error: undefined filter: currencey (line 3)'],
];

const POSTS = ['chat.postMessage', 'chat.update'];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'calm',
    title: 'Calm',
    minutes: 10,
    alone: true,
    description: 'Ten minutes in which production delivers every notification. What else is playing stops.',
    lookFor: 'No new alert, but for what was sent before: bounces that come late, steps that are stuck.',
    plan: () => [
      during(0, 10, 'Everything is delivered', (stage) =>
        changeTemporarily(stage.service.world.accidents, noAccidents),
      ),
    ],
  },
  {
    name: 'provider-outage',
    title: 'Provider outage',
    minutes: 4,
    description: 'For three minutes a provider refuses everything, for one reason, another one at each start.',
    lookFor: 'One alert over all workflows, within a poll, that counts on in place. What got worse is a new message.',
    plan: (random) => [
      outage(0, 3, random.pick(['wrongToken', 'outOfCredits', 'expiredKey', 'noCertificate'])),
      uneventful(3, 4, 'It is sent again: the rows stop counting'),
    ],
  },
  {
    name: 'push-and-chat-outage',
    title: 'Push and chat outage',
    minutes: 6,
    description: 'For three minutes Firebase and Slack refuse all push and chat messages, at first those of 12 people.',
    lookFor: 'Two incidents of the right provider, 12 of 12 each, though each step lists several errors.',
    plan: () => [
      ...[outage(0, 3, 'noCertificate'), outage(0, 3, 'goneWebhooks')],
      ...[0.1, 4].flatMap((at) => [dozen(at, 'app-push'), dozen(at, 'team-alert')]),
      uneventful(3, 6, 'It is sent again'),
    ],
  },
  {
    name: 'analytics-store',
    title: 'Analytics store',
    minutes: 6,
    description: 'Production answers from its analytics store: without most details, then with strangers’ steps.',
    lookFor: 'Each email that SendGrid refuses is alerted, and none is shown as delivered, with its reason or without.',
    plan: () => [
      outage(0, 5, 'unverifiedSender'),
      behaves(0, 3, 'A page of events has the oldest hundred details', { detailsOfPage: 'the oldest hundred' }),
      behaves(3, 6, 'One event has the steps of its whole transaction', { stepsOfRetrievedEvent: "its transaction's" }),
      ...[0.1, 3.1].map((at) => dozen(at, 'order-shipped')),
    ],
  },
  {
    name: 'changed-integration',
    title: 'An integration is changed, then it fails',
    minutes: 6,
    description: 'Somebody moves SendGrid to another account. A minute and a half later it refuses the sender.',
    lookFor: 'The row of the incident names the change, and how long before it was made. /notif changes lists it.',
    plan: () => [
      during(0, 5, 'SendGrid has another account, and no inbound webhook', ({ service: { world } }) =>
        world.changeIntegration('sendgrid', { name: 'SendGrid EU', configurations: { inboundWebhookEnabled: false } }),
      ),
      outage(1.5, 4.5, 'unverifiedSender'),
      uneventful(4.5, 6, 'It is sent again'),
    ],
  },
  {
    name: 'one-tenant',
    title: 'One tenant is hit',
    minutes: 8,
    description: 'For six minutes SendGrid refuses what is sent for the tenant acme, a quarter of all emails.',
    lookFor: 'After ten failed events, the row says that all of them are of tenant:acme. View affected counts them.',
    plan: () => [
      outage(0, 6, 'suspendedSubaccount', { contextKey: 'tenant:acme' }),
      uneventful(6, 8, 'It is sent again'),
    ],
  },
  {
    name: 'bounce-storm',
    title: 'Bounce storm',
    minutes: 6,
    description: 'For three minutes most emails are taken, and come back one to three minutes later.',
    lookFor: 'Delivered events become 🟠 bounced: Notif reports a storm although nothing that is new has failed.',
    plan: (random) => {
      const share = random.between(50, 80) / 100;
      const what = `${Math.round(share * 100)}% of the emails that are delivered will bounce`;
      return [
        during(0, 3, what, ({ service: { world } }) =>
          changeTemporarily<Partial<World>>(world, { bounceStorm: { share, reason: bounceReasons.storm } }),
        ),
        uneventful(3, 6, 'Nothing new bounces; the last webhooks come in'),
      ];
    },
  },
  {
    name: 'bad-template-deploy',
    title: 'Bad template deploy',
    minutes: 4,
    description: 'A new version of a template can’t be rendered. It is rolled back two and a half minutes later.',
    lookFor: 'One incident of one workflow, with the line of the template that is wrong; other workflows are fine.',
    plan: (random) => {
      const [template, error] = random.pick(MISTAKES);
      return [
        during(0, 2.5, `The new template of ${template} can’t be rendered`, ({ service: { world } }) => {
          world.brokenTemplates.set(template, error);
          return () => world.brokenTemplates.delete(template);
        }),
        uneventful(2.5, 4, 'Rolled back: it is delivered again'),
      ];
    },
  },
  {
    name: 'topic-fan-out',
    title: 'Topic fan-out of 5,000',
    minutes: 3,
    description: 'One trigger to a topic of 5,000 people, with one transaction ID. Amazon SES throttles some.',
    lookFor: 'One incident for all that SES refused. “/notif event” with the transaction ID sums up 5,000 people.',
    plan: (random) => [
      outage(0, 2, 'throttled', { share: random.between(2, 5) / 100 }),
      during(0.1, 0.1, 'One trigger reaches 5,000 people', (stage) => reachEverybody(stage, random)),
    ],
  },
  {
    name: 'silent-workflow',
    title: 'A workflow is silent',
    minutes: 50,
    description: 'Nobody triggers payment-failed anymore. To save you time, production forgets its last 22 minutes.',
    lookFor:
      'One alert after eight minutes (at 1×): by then it’s been silent for half an hour. /notif status and /notif stats name it.',
    plan: () => [
      during(0, 45, 'No payment-failed is triggered', ({ service: { world } }) =>
        world.silence('payment-failed', world.now() - 22 * MINUTE),
      ),
      uneventful(45, 50, 'It is triggered again'),
    ],
  },
  {
    name: 'service-down',
    title: 'Service down',
    minutes: 7,
    description: 'Production answers with a gateway’s page (503); then nothing listens there, for six minutes in all.',
    lookFor: 'Commands say at once what is wrong, and staging still works. #oncall is alerted, also when it is over.',
    plan: () => [
      service(0, 0.75, 'The gateway answers 503', { kind: 'html', status: 503 }),
      during(0.75, 6, 'The connection is refused', ({ service: { goAway, comeBack } }) => {
        const left = goAway();
        return () => left.then(comeBack);
      }),
      uneventful(6, 7, 'The service is back'),
    ],
  },
  {
    name: 'service-slow',
    title: 'Service slow',
    minutes: 4,
    description: 'Each answer of production takes seconds, then longer than anybody waits, then seconds again.',
    lookFor:
      'Every command is acknowledged at once; answers come later, or say that the service didn’t answer in time.',
    plan: () => [slow(0, 1.25, 3), slow(1.25, 2.5, 15), slow(2.5, 4, 3)],
  },
  {
    name: 'slack-rate-limit',
    title: 'Slack rate limit',
    minutes: 4,
    description: 'Slack refuses new messages and edits for two minutes (429), while Twilio refuses everything.',
    lookFor: 'Nothing in #oncall for two minutes, while commands are answered. Then one alert with all of it.',
    plan: () => [
      outage(0, 3, 'suspendedAccount'),
      ...POSTS.map((method) =>
        slack(0, 2, `Slack answers ${method} with 429`, {
          method,
          fault: { kind: 'rate-limited', retryAfterSeconds: 15 },
        }),
      ),
      uneventful(3, 4, 'Twilio is back'),
    ],
  },
  {
    name: 'older-slack',
    title: 'Older Slack',
    minutes: 5,
    description: 'For five minutes Slack refuses data tables, charts and containers, as older ones do.',
    lookFor: 'Lists and charts, such as /notif chart, come as text with the same rows; nothing is lost.',
    plan: () => [during(0, 5, 'Slack refuses the newer blocks', (stage) => stage.slack.faults.refuseBlocks())],
  },
  {
    name: 'socket-drop',
    title: 'Socket drop',
    minutes: 2,
    description: 'For two minutes the bot’s connections to Slack are cut again and again, and once refreshed.',
    lookFor: '“Notif is not connected” for a moment, then it is again. A command typed meanwhile is answered once.',
    plan: () => [
      uneventful(0, 2, 'Connections break now and then'),
      ...[0, 0.4, 1.4, 1.8].map((at) => sockets(at, 'cut')),
      sockets(0.9, 'refreshed'),
    ],
  },
  {
    name: 'lost-answers',
    title: 'Lost answers',
    minutes: 3,
    description:
      'Slack does what it is asked, and the connection breaks before it says so; SendGrid refuses everything.',
    lookFor: 'One alert for the incident, not two: the bot looks into the channel for what it can’t know.',
    plan: () => [
      outage(0, 2, 'unverifiedSender'),
      ...POSTS.map((method) =>
        slack(0, 2, `Three answers of ${method} get lost`, {
          method,
          fault: { kind: 'reset', when: 'after' },
          times: 3,
        }),
      ),
      uneventful(2, 3, 'SendGrid takes everything again'),
    ],
  },
  {
    name: 'slack-away',
    title: 'Slack away',
    minutes: 12,
    description: 'Twilio refuses everything for six minutes. From the first to the third Slack can’t be reached.',
    lookFor: 'Nothing for two minutes; then one message with what happened meanwhile. Nothing is lost or comes twice.',
    plan: () => [
      outage(0, 6, 'suspendedAccount'),
      slack(1, 3, 'Slack can’t be reached', { method: '*', fault: { kind: 'reset', when: 'before' } }),
      sockets(1, 'cut'),
      uneventful(6, 12, 'Twilio is back'),
    ],
  },
  {
    name: 'relapse',
    title: 'Relapse',
    minutes: 58,
    description:
      'SendGrid refuses a key for four minutes; it works, and the same happens after 3 and after 40 minutes.',
    lookFor: 'One incident over all workflows, marked as recovered once it is. Each relapse alerts at once.',
    plan: () => [
      outage(0, 4, 'expiredKey'),
      uneventful(4, 7, 'SendGrid works again'),
      outage(7, 9, 'expiredKey'),
      uneventful(9, 49, 'SendGrid works again, for 40 minutes'),
      outage(49, 51, 'expiredKey'),
      uneventful(51, 58, 'SendGrid works again'),
    ],
  },
  {
    name: 'recorded',
    title: 'Answers of a real server',
    minutes: 12,
    description: `${RECORDINGS.length} events as a real server answered them, four people each: what 13 providers refuse, lost steps, preferences.`,
    lookFor: 'One alert a cause, each with its owner. Silence about what nobody can fix.',
    plan: () =>
      RECORDINGS.flatMap((name, index) =>
        [0, 1, 2, 3].map((person) => recorded(name, index / 10 + person / 2, person)),
      ),
  },
];
