import type { StatusParts } from '../use-cases/report-status.ts';
import { type ActingParts, actingDoors } from './acting/listeners.ts';
import { type DigestParts, digestDoors } from './digest/listeners.ts';
import type { AnsweringParts } from './doors/answering.ts';
import type { Door } from './doors/door.ts';
import { notifCommand } from './doors/notif-command.ts';
import { type EventParts, eventCommand, eventDoors } from './event/listeners.ts';
import { type FailuresParts, failuresCommand, failuresDoors } from './failures/listeners.ts';
import { type HelpParts, helpCommand } from './help/listeners.ts';
import { type MessagesParts, messagesCommand, messagesDoors } from './messages/listeners.ts';
import { statusCommand } from './status/listeners.ts';
import { type TriggerFlowParts, triggerCommand, triggerDoors } from './trigger/listeners.ts';
import { type SendAgainParts, sendAgainDoors } from './trigger/send-again-listeners.ts';
import { type WatchesParts, watchesCommands, watchesDoors } from './watches/listeners.ts';

/** Everything that the doors need; the app hands it in. */
export type SlackParts = AnsweringParts &
  EventParts &
  FailuresParts &
  DigestParts &
  ActingParts &
  HelpParts &
  MessagesParts &
  StatusParts &
  TriggerFlowParts &
  SendAgainParts &
  WatchesParts;

/** Every way into Notif, and who answers. What Slack sends and is not here is answered by `doors/register.ts`. */
export function doors(parts: SlackParts): readonly Door[] {
  const commands = [
    eventCommand(parts),
    failuresCommand(parts),
    messagesCommand(parts),
    triggerCommand(parts),
    ...watchesCommands(parts),
    statusCommand(parts),
  ];
  return [
    notifCommand([...commands, helpCommand(commands, parts)], parts),
    ...eventDoors(parts),
    ...failuresDoors(parts),
    ...messagesDoors(parts),
    ...digestDoors(parts),
    ...actingDoors(parts),
    ...triggerDoors(parts),
    ...sendAgainDoors(parts),
    ...watchesDoors(parts),
  ];
}
