import type { SetUpParts } from '../use-cases/health/examine-setup.ts';
import type { RefreshHomesParts } from '../use-cases/health/refresh-homes.ts';
import type { CheckedStatusParts } from '../use-cases/health/report-status.ts';
import { type AuditParts, auditCommand, auditRoutes } from './audit/listeners.ts';
import { type CredentialsParts, credentialsCommand, credentialsRoutes } from './credentials/listeners.ts';
import { type DigestParts, digestRoutes } from './digest/listeners.ts';
import { doctorCommand } from './doctor/listeners.ts';
import { type EnvironmentParts, environmentCommand, environmentRoutes } from './environment/listeners.ts';
import { type AnswerUnknown, answerFor, type EventParts, eventCommand, eventRoutes } from './event/listeners.ts';
import { type FailuresParts, failuresCommand, failuresRoutes } from './failures/listeners.ts';
import { type HelpParts, helpCommand, helpRoutes } from './help/listeners.ts';
import { homeRoutes, notingHomeClicks } from './home/listeners.ts';
import { type ActCommandParts, actCommands, muteNamed } from './incidents/commands.ts';
import { type ActingParts, actingRoutes } from './incidents/listeners.ts';
import { type IntegrationsParts, integrationsCommand, integrationsRoutes } from './integrations/listeners.ts';
import type { AnsweringParts } from './interactions/answering.ts';
import type { Command } from './interactions/command.ts';
import { notifRoutes, runCommand } from './interactions/notif-command.ts';
import type { Route } from './interactions/route.ts';
import { lookupRoutes } from './lookup/listeners.ts';
import { createLookup, type LookupParts } from './lookup/lookup.ts';
import { answerUnknownId, type UnknownIdParts } from './lookup/unknown-id.ts';
import { type MessagesParts, messagesCommand, messagesRoutes } from './messages/listeners.ts';
import { statusCommand } from './status/listeners.ts';
import { type TopicParts, topicAnswer, topicCommand, topicRoutes } from './topic/listeners.ts';
import { type TriggerFlowParts, triggerCommand, triggerRoutes } from './trigger/listeners.ts';
import { type SendAgainParts, sendAgainRoutes } from './trigger/send-again-listeners.ts';
import { type WatchesParts, watchesCommands, watchesRoutes } from './watches/listeners.ts';

/** Everything that the doors need; the app hands it in. */
export type SlackParts = AnsweringParts &
  EnvironmentParts &
  EventParts &
  FailuresParts &
  DigestParts &
  ActingParts &
  ActCommandParts &
  AuditParts &
  CredentialsParts &
  HelpParts &
  IntegrationsParts &
  LookupParts &
  UnknownIdParts &
  MessagesParts &
  RefreshHomesParts &
  SetUpParts &
  CheckedStatusParts &
  TopicParts &
  TriggerFlowParts &
  SendAgainParts &
  WatchesParts;

/** Every sub-command of `/notif` but help, in the order in which help lists them. */
export function commandsOf(parts: SlackParts): readonly Command[] {
  return [
    eventCommand(withAnswerUnknown(parts)),
    failuresCommand(parts),
    messagesCommand(parts),
    integrationsCommand(parts),
    topicCommand(parts),
    triggerCommand(parts),
    credentialsCommand(parts),
    auditCommand(parts),
    ...actCommands(parts),
    ...watchesCommands(parts, (named, channel, interaction) => muteNamed(named, channel, interaction, parts)),
    environmentCommand(parts),
    statusCommand(parts),
    doctorCommand(parts),
  ];
}

function withAnswerUnknown(parts: SlackParts) {
  const answerUnknown: AnswerUnknown = (nothing, reader) =>
    answerUnknownId(nothing, reader, (request, by) => topicAnswer(request, by, parts), parts);
  return { ...parts, answerUnknown };
}

/** Every way into Notif, and who answers. What Slack sends and is not here is answered by `doors/register.ts`. */
export function routes(parts: SlackParts): readonly Route[] {
  const eventParts = withAnswerUnknown(parts);
  const commands = commandsOf(parts);
  const all = [...commands, helpCommand(commands, parts)];
  const lookup = createLookup(
    (request, audience, interaction) => answerFor(request, audience, interaction, eventParts),
    parts,
  );
  const table = [
    ...notifRoutes(all, lookup, parts),
    ...lookupRoutes(
      lookup,
      (interaction) => runCommand(interaction, all, lookup, parts),
      all.map(({ word }) => word),
      parts,
    ),
    ...helpRoutes(all, parts),
    ...homeRoutes(parts),
    ...eventRoutes(eventParts),
    ...failuresRoutes(parts),
    ...messagesRoutes(parts),
    ...integrationsRoutes(parts),
    ...topicRoutes(parts),
    ...environmentRoutes(parts),
    ...digestRoutes(parts),
    ...actingRoutes(parts),
    ...triggerRoutes(parts),
    ...sendAgainRoutes(parts),
    ...credentialsRoutes(parts),
    ...auditRoutes(parts),
    ...watchesRoutes(parts),
  ];
  return notingHomeClicks(table, parts);
}
