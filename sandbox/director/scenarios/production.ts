import { type BrokenTemplate, noAccidents } from '../../notification-service/world.ts';
import { OUTAGES, outage, outageIn, quiet, suspendedSubaccount, throttledBySes, unverifiedSender } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario, SECOND } from '../scenario.ts';

export const calm: Scenario = {
  name: 'calm',
  title: 'Calm',
  description: 'Ten minutes in which production delivers every notification. What else is playing stops.',
  lookFor:
    'No new digest of production, but for what was sent before: bounces that come late, steps that are stuck. Rows stop counting; “/notif failures since:5m” finds nothing, and says of how many events.',
  lastsMs: 10 * MINUTE,
  alone: true,
  plan: () => [
    {
      from: 0,
      to: 10 * MINUTE,
      what: 'Everything is delivered',
      fault: { kind: 'accidents', accidents: noAccidents },
    },
  ],
};

export const providerOutage: Scenario = {
  name: 'provider-outage',
  title: 'Provider outage',
  description:
    'For three minutes a provider refuses everything, for one reason. The seed says which: with 1, SendGrid a key.',
  lookFor:
    'A digest with one incident over all workflows, within a poll; its row counts on in place. Ten times as much, and the first critical workflow, are a new message; the older one says that it continues below. Played again after it recovered, the incident relapses, in a new message. Another seed is another cause.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(random.pick(OUTAGES), { from: 0, to: 3 * MINUTE }),
    quiet('It is sent again: the rows stop counting', { from: 3 * MINUTE, to: 4 * MINUTE }),
  ],
};

export const changedIntegration: Scenario = {
  name: 'changed-integration',
  title: 'An integration is changed, then it fails',
  description:
    'Somebody moves SendGrid to another account, without its inbound webhook. A minute and a half later it refuses the sender, for three minutes.',
  lookFor:
    'The row of the incident names the change, and how long before the first failure it was made. /notif changes lists it, and after the end that it was taken back.',
  lastsMs: 6 * MINUTE,
  alone: false,
  plan: () => [
    {
      ...{ from: 0, to: 5 * MINUTE, what: 'SendGrid has another account, and no inbound webhook' },
      fault: {
        kind: 'integration changed',
        provider: 'sendgrid',
        change: { name: 'SendGrid EU', configurations: { inboundWebhookEnabled: false } },
      },
    },
    outage(unverifiedSender, { from: 90 * SECOND, to: 4.5 * MINUTE }),
    quiet('It is sent again', { from: 4.5 * MINUTE, to: 6 * MINUTE }),
  ],
};

export const oneTenant: Scenario = {
  name: 'one-tenant',
  title: 'One tenant is hit',
  description: 'For six minutes SendGrid refuses what is sent for the tenant acme, a quarter of all emails.',
  lookFor:
    'From ten failed events on, the row of the incident says that all of them are of tenant:acme, and what share of all events that usually is. View affected counts them by tenant.',
  lastsMs: 8 * MINUTE,
  alone: false,
  plan: () => [
    outageIn('tenant:acme', suspendedSubaccount, { from: 0, to: 6 * MINUTE }),
    quiet('It is sent again', { from: 6 * MINUTE, to: 8 * MINUTE }),
  ],
};

/** What receiving servers say when they no longer trust a sender. */
const reasons = [
  '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org',
  '550 5.7.26 This message does not pass authentication checks (SPF and DKIM both do not pass)',
] as const;

export const bounceStorm: Scenario = {
  name: 'bounce-storm',
  title: 'Bounce storm',
  description: 'For three minutes most emails are taken, and come back one to three minutes after they were delivered.',
  lookFor:
    'Events that were delivered become 🟠 bounced. Notif checks each again 2 and 10 minutes after it was made: so a digest reports a storm although nothing that is new has failed.',
  lastsMs: 6 * MINUTE,
  alone: false,
  plan: (random) => {
    const reason = random.pick(reasons);
    const share = random.between(50, 80) / 100;
    return [
      {
        from: 0,
        to: 3 * MINUTE,
        what: `${Math.round(share * 100)}% of the emails that are delivered will bounce`,
        fault: { kind: 'bounce storm', share, reason },
      },
      quiet('Nothing new bounces; the last webhooks come in', { from: 3 * MINUTE, to: 6 * MINUTE }),
    ];
  },
};

/** Errors in a new version of a template, in the words of the service's template engine. */
const mistakes: readonly [BrokenTemplate, ...BrokenTemplate[]] = [
  { workflow: 'order-shipped', step: 'email', raw: 'Liquid error: undefined variable payload.parcel.number (line 14)' },
  { workflow: 'password-reset', step: 'email', raw: "Liquid error: tag 'endif' has no matching 'if' (line 31)" },
  { workflow: 'order-shipped', step: 'in_app', raw: 'Liquid error: undefined filter: currencey (line 3)' },
];

export const badTemplateDeploy: Scenario = {
  name: 'bad-template-deploy',
  title: 'Bad template deploy',
  description: 'A new version of a template cannot be rendered. It is rolled back two and a half minutes later.',
  lookFor:
    'One incident of one workflow, with the line of the template that is wrong; other workflows of the same provider are fine.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => {
    const mistake = random.pick(mistakes);
    const rollBack = 2 * MINUTE + random.between(20, 40) * SECOND;
    const deployed: FaultWindow = {
      from: 0,
      to: rollBack,
      what: `The new template of ${mistake.workflow} (${mistake.step}) cannot be rendered`,
      fault: { kind: 'broken template', ...mistake },
    };
    return [deployed, quiet('Rolled back: it is delivered again', { from: rollBack, to: 4 * MINUTE })];
  },
};

const PEOPLE = 5_000;

export const topicFanOut: Scenario = {
  name: 'topic-fan-out',
  title: 'Topic fan-out of 5,000',
  description:
    'One trigger to a topic of 5,000 people: as many events, with one transaction id. Amazon SES throttles some.',
  lookFor:
    'One incident for all that SES refused, with its share. “/notif event” with its transaction id sums up 5,000 subscribers and leads to those that failed.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(throttledBySes, { from: 0, to: 2 * MINUTE }, random.between(2, 5) / 100),
    {
      from: 5 * SECOND,
      to: 5 * SECOND,
      what: 'One trigger reaches 5,000 people',
      fault: { kind: 'fan-out', workflow: 'product-launch', topic: 'launch', people: PEOPLE },
    },
  ],
};
