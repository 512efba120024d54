import { MINUTE, type Scenario } from '../scenario.ts';

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
