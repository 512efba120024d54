import type { Scenario } from './scenario.ts';
import {
  lostAnswers,
  olderSlack,
  serviceDown,
  serviceSlow,
  slackAway,
  slackRateLimit,
  socketDrop,
} from './scenarios/connections.ts';
import { flapping, night, overlappingMutes, relapse, secondCause } from './scenarios/nights.ts';
import {
  badTemplateDeploy,
  bounceStorm,
  calm,
  changedIntegration,
  oneTenant,
  providerOutage,
  topicFanOut,
} from './scenarios/production.ts';

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
