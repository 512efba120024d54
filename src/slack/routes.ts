import type { Door } from './doors/door.ts';
import { eventCommand, eventDoors } from './event/listeners.ts';
import { helpCommand } from './help/listeners.ts';
import { notifCommand } from './notif-command.ts';
import type { SlackParts } from './parts.ts';

/** Every way into Notif, and who answers. What Slack sends and is not here is answered by `doors/register.ts`. */
export function doors(parts: SlackParts): readonly Door[] {
  const commands = [eventCommand(parts)];
  return [notifCommand([...commands, helpCommand(commands, parts)], parts), ...eventDoors(parts)];
}
