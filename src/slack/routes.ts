import type { SetUpParts } from '../use-cases/health/examine-setup.ts';
import type { RefreshHomesParts } from '../use-cases/health/refresh-homes.ts';
import type { CheckedStatusParts } from '../use-cases/health/report-status.ts';
import { type AuditParts, auditCommand, auditDoors } from './audit/listeners.ts';
import { type CredentialsParts, credentialsCommand, credentialsDoors } from './credentials/listeners.ts';
import { type DigestParts, digestDoors } from './digest/listeners.ts';
import { doctorCommand } from './doctor/listeners.ts';
import { type EnvironmentParts, environmentCommand, environmentDoors } from './environment/listeners.ts';
import { type AnswerUnknown, answerFor, type EventParts, eventCommand, eventDoors } from './event/listeners.ts';
import { type FailuresParts, failuresCommand, failuresDoors } from './failures/listeners.ts';
import { type HelpParts, helpCommand, helpDoors } from './help/listeners.ts';
import { homeDoors, notingHomeClicks } from './home/listeners.ts';
import { type ActCommandParts, actCommands, muteNamed } from './incidents/commands.ts';
import { type ActingParts, actingDoors } from './incidents/listeners.ts';
import { type IntegrationsParts, integrationsCommand, integrationsDoors } from './integrations/listeners.ts';
import type { AnsweringParts } from './interactions/answering.ts';
import type { Command } from './interactions/command.ts';
import { notifDoors, runCommand } from './interactions/notif-command.ts';
import type { Door } from './interactions/route.ts';
import { lookupDoors } from './lookup/listeners.ts';
import { createLookup, type LookupParts } from './lookup/lookup.ts';
import { answerUnknownId, type UnknownIdParts } from './lookup/unknown-id.ts';
import { type MessagesParts, messagesCommand, messagesDoors } from './messages/listeners.ts';
import { statusCommand } from './status/listeners.ts';
import { type TopicParts, topicAnswer, topicCommand, topicDoors } from './topic/listeners.ts';
import { type TriggerFlowParts, triggerCommand, triggerDoors } from './trigger/listeners.ts';
import { type SendAgainParts, sendAgainDoors } from './trigger/send-again-listeners.ts';
import { type WatchesParts, watchesCommands, watchesDoors } from './watches/listeners.ts';

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
    ...watchesCommands(parts, (named, channel, gesture) => muteNamed(named, channel, gesture, parts)),
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
export function doors(parts: SlackParts): readonly Door[] {
  const eventParts = withAnswerUnknown(parts);
  const commands = commandsOf(parts);
  const all = [...commands, helpCommand(commands, parts)];
  const lookup = createLookup((request, audience, gesture) => answerFor(request, audience, gesture, eventParts), parts);
  const table = [
    ...notifDoors(all, lookup, parts),
    ...lookupDoors(
      lookup,
      (gesture) => runCommand(gesture, all, lookup, parts),
      all.map(({ word }) => word),
      parts,
    ),
    ...helpDoors(all, parts),
    ...homeDoors(parts),
    ...eventDoors(eventParts),
    ...failuresDoors(parts),
    ...messagesDoors(parts),
    ...integrationsDoors(parts),
    ...topicDoors(parts),
    ...environmentDoors(parts),
    ...digestDoors(parts),
    ...actingDoors(parts),
    ...triggerDoors(parts),
    ...sendAgainDoors(parts),
    ...credentialsDoors(parts),
    ...auditDoors(parts),
    ...watchesDoors(parts),
  ];
  return notingHomeClicks(table, parts);
}
