import type { Scenario } from './scenario.ts';
import { badTemplateDeploy } from './scenarios/bad-template-deploy.ts';
import { bounceStorm } from './scenarios/bounce-storm.ts';
import { calm } from './scenarios/calm.ts';
import { changedIntegration } from './scenarios/changed-integration.ts';
import { flapping } from './scenarios/flapping.ts';
import { lostAnswers } from './scenarios/lost-answers.ts';
import { night } from './scenarios/night.ts';
import { olderSlack } from './scenarios/older-slack.ts';
import { oneTenant } from './scenarios/one-tenant.ts';
import { overlappingMutes } from './scenarios/overlapping-mutes.ts';
import { providerOutage } from './scenarios/provider-outage.ts';
import { relapse } from './scenarios/relapse.ts';
import { secondCause } from './scenarios/second-cause.ts';
import { serviceDown } from './scenarios/service-down.ts';
import { serviceSlow } from './scenarios/service-slow.ts';
import { slackAway } from './scenarios/slack-away.ts';
import { slackRateLimit } from './scenarios/slack-rate-limit.ts';
import { socketDrop } from './scenarios/socket-drop.ts';
import { topicFanOut } from './scenarios/topic-fan-out.ts';

/** All scenarios in the order in which they are listed. */
export const SCENARIOS: readonly Scenario[] = [
  calm,
  providerOutage,
  changedIntegration,
  oneTenant,
  bounceStorm,
  badTemplateDeploy,
  topicFanOut,
  serviceDown,
  serviceSlow,
  slackRateLimit,
  olderSlack,
  socketDrop,
  lostAnswers,
  relapse,
  secondCause,
  flapping,
  overlappingMutes,
  slackAway,
  night,
];
