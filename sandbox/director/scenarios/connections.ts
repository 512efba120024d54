import { outage, quiet, suspendedAccount, unverifiedSender } from '../outages.ts';
import { type FaultWindow, MINUTE, type Scenario, SECOND } from '../scenario.ts';

export const serviceDown: Scenario = {
  name: 'service-down',
  title: 'Service down',
  description:
    'Production answers with a gateway’s page (503) at first; then nothing listens there, for six minutes in all.',
  lookFor:
    'Commands say at once what is wrong, and staging still works. After five minutes #oncall gets a message that production cannot be read; then that it can again, and that nothing was missed.',
  lastsMs: 7 * MINUTE,
  alone: false,
  plan: (random) => {
    const refusedFrom = random.between(30, 60) * SECOND;
    return [
      {
        from: 0,
        to: refusedFrom,
        what: 'The gateway answers 503',
        fault: { kind: 'service fault', fault: { kind: 'html', status: 503 } },
      },
      {
        from: refusedFrom,
        to: 6 * MINUTE,
        what: 'The connection is refused',
        fault: { kind: 'service gone' },
      },
      quiet('The service is back', { from: 6 * MINUTE, to: 7 * MINUTE }),
    ];
  },
};

const slow = (from: number, to: number, seconds: number): FaultWindow => ({
  from,
  to,
  what: `Each answer takes ${seconds} seconds`,
  fault: { kind: 'service fault', fault: { kind: 'slow', ms: seconds * SECOND } },
});

export const serviceSlow: Scenario = {
  name: 'service-slow',
  title: 'Service slow',
  description: 'Each answer of production takes seconds, then longer than anybody waits, then seconds again.',
  lookFor:
    'Every command and click is still acknowledged at once; answers come later, or say that the service did not answer in time. “/notif status” says how far it has checked.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => [
    slow(0, 80 * SECOND, random.between(2, 4)),
    slow(80 * SECOND, 2.5 * MINUTE, 15),
    slow(2.5 * MINUTE, 4 * MINUTE, random.between(2, 4)),
  ],
};

const limited = (method: string, retryAfterSeconds: number): FaultWindow => ({
  from: 0,
  to: 2 * MINUTE,
  what: `Slack answers ${method} with 429, Retry-After ${retryAfterSeconds}`,
  fault: { kind: 'slack fault', method, fault: { kind: 'rate-limited', retryAfterSeconds } },
});

export const slackRateLimit: Scenario = {
  name: 'slack-rate-limit',
  title: 'Slack rate limit',
  description:
    'Slack refuses new messages and edits for two minutes (429, with Retry-After), while Twilio refuses everything.',
  lookFor:
    'Nothing in #oncall for two minutes, while commands are still answered. Then one digest with all that was held back: nothing is lost, and no message comes twice.',
  lastsMs: 4 * MINUTE,
  alone: false,
  plan: (random) => {
    const retryAfterSeconds = random.between(10, 30);
    return [
      outage(suspendedAccount, { from: 0, to: 3 * MINUTE }),
      limited('chat.postMessage', retryAfterSeconds),
      limited('chat.update', retryAfterSeconds),
      quiet('Twilio is back', { from: 3 * MINUTE, to: 4 * MINUTE }),
    ];
  },
};

export const olderSlack: Scenario = {
  name: 'older-slack',
  title: 'Older Slack',
  description:
    'For five minutes Slack refuses data tables, charts, containers and alerts, like a workspace that doesn’t have them yet.',
  lookFor: 'Lists and charts, such as /notif chart, come as text with the same rows; nothing is lost.',
  lastsMs: 5 * MINUTE,
  alone: false,
  plan: () => [
    {
      from: 0,
      to: 5 * MINUTE,
      what: 'Slack refuses the newer blocks',
      fault: { kind: 'newer blocks refused' },
    },
  ],
};

const cut = (at: number): FaultWindow => ({
  from: at,
  to: at,
  what: 'The connections are cut',
  fault: { kind: 'sockets cut' },
});

const refresh = (at: number): FaultWindow => ({
  from: at,
  to: at,
  what: 'Slack asks for new connections',
  fault: { kind: 'sockets refreshed' },
});

export const socketDrop: Scenario = {
  name: 'socket-drop',
  title: 'Socket drop',
  description:
    'For two minutes the bot’s connections to Slack are cut again and again, and once refreshed in an orderly way.',
  lookFor:
    '“Notif is not connected” for a moment, then it is again. A command typed meanwhile is answered once; at a refresh nothing is missed at all.',
  lastsMs: 2 * MINUTE,
  alone: false,
  plan: (random) => {
    const within = (from: number, to: number) => random.between(from, to) * SECOND;
    const throughout = quiet('Connections break now and then', { from: 0, to: 2 * MINUTE });
    return [
      throughout,
      cut(0),
      cut(within(20, 30)),
      refresh(within(45, 60)),
      cut(within(75, 90)),
      cut(within(100, 115)),
    ];
  },
};

const lost = (method: string, times: number): FaultWindow => ({
  from: 0,
  to: 2 * MINUTE,
  what: `The answers to the next ${times} calls of ${method} get lost`,
  fault: { kind: 'slack fault', method, fault: { kind: 'reset', when: 'after' }, times },
});

export const lostAnswers: Scenario = {
  name: 'lost-answers',
  title: 'Lost answers',
  description:
    'Slack carries out what it is asked to, and the connection breaks before it says so; SendGrid refuses everything meanwhile.',
  lookFor: 'One digest for the incident, not two: the bot looks into the channel for what it cannot know.',
  lastsMs: 3 * MINUTE,
  alone: false,
  plan: (random) => [
    outage(unverifiedSender, { from: 0, to: 2 * MINUTE }),
    lost('chat.postMessage', random.between(2, 3)),
    lost('chat.update', random.between(2, 4)),
    quiet('SendGrid takes everything again', { from: 2 * MINUTE, to: 3 * MINUTE }),
  ],
};

export const slackAway: Scenario = {
  name: 'slack-away',
  title: 'Slack away',
  description:
    'Twilio refuses everything for six minutes. From the first to the third minute Slack cannot be reached: connections are cut, and every call breaks.',
  lookFor:
    'Nothing for two minutes; then one message with what happened meanwhile, and what is over by then marked as over. Nothing is lost, and nothing comes twice.',
  lastsMs: 12 * MINUTE,
  alone: false,
  plan: () => [
    outage(suspendedAccount, { from: 0, to: 6 * MINUTE }),
    {
      from: MINUTE,
      to: 3 * MINUTE,
      what: 'Slack cannot be reached',
      fault: { kind: 'slack fault', method: '*', fault: { kind: 'reset', when: 'before' } },
    },
    { from: MINUTE, to: MINUTE, what: 'The connections are cut', fault: { kind: 'sockets cut' } },
    quiet('Twilio is back', { from: 6 * MINUTE, to: 12 * MINUTE }),
  ],
};
