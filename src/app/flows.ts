import { auditFlow } from '../slack/audit/listeners.ts';
import { changesFlow } from '../slack/changes.ts';
import { credentialsFlow } from '../slack/credentials/listeners.ts';
import { digestFlow } from '../slack/digest/listeners.ts';
import { environmentFlow } from '../slack/environment/listeners.ts';
import { eventFlow } from '../slack/event/listeners.ts';
import { failuresFlow } from '../slack/failures/listeners.ts';
import { handoverFlow } from '../slack/handover/listeners.ts';
import { helpFlow } from '../slack/help/listeners.ts';
import { historyFlow } from '../slack/history.ts';
import { homeFlow } from '../slack/home/listeners.ts';
import { incidentsFlow } from '../slack/incidents/listeners.ts';
import { integrationsFlow } from '../slack/integrations.ts';
import type { Flow } from '../slack/interactions/command.ts';
import { notifRoutes, runCommand } from '../slack/interactions/notif-command.ts';
import { lookupFlow } from '../slack/lookup/listeners.ts';
import { answerUnknownId, createLookup } from '../slack/lookup/lookup.ts';
import { messagesFlow } from '../slack/messages.ts';
import { statusFlow } from '../slack/status/listeners.ts';
import { topicFlow } from '../slack/topic.ts';
import { triggerFlow } from '../slack/trigger/listeners.ts';
import { watchesFlow } from '../slack/watches/listeners.ts';
import type { SlackParts } from './slack-parts.ts';
import { doctorStore, statusStore } from './stores.ts';

/** Commands are in the order that help lists them. */
export function createFlows(parts: SlackParts): Flow {
  const { store } = parts;
  const topic = topicFlow(parts);
  const event = eventFlow({
    ...parts,
    answerUnknown: (nothing, reader) => answerUnknownId(nothing, reader, topic.answer, parts),
  });
  const acting = incidentsFlow(parts);
  const flows = [
    event,
    failuresFlow(parts),
    messagesFlow(parts),
    integrationsFlow(parts),
    changesFlow(parts),
    topic,
    triggerFlow(parts),
    credentialsFlow(parts),
    auditFlow(parts),
    acting,
    historyFlow(parts),
    handoverFlow(parts),
    watchesFlow({
      ...parts,
      muteNamed: acting.muteNamed,
      unmuteNamed: acting.unmuteNamed,
    }),
    environmentFlow(parts),
    statusFlow({ ...parts, store: doctorStore(store) }),
    digestFlow(parts),
    homeFlow({ ...parts, store: statusStore(store) }),
  ];
  const others = flows.flatMap(({ commands }) => commands);
  const help = helpFlow(others, parts);
  const commands = [...others, ...help.commands];
  const channelParts = { ...parts, showNumbered: acting.showNumbered };
  const lookup = createLookup(event.answer, channelParts);
  const run = (interaction: Parameters<typeof runCommand>[0]) =>
    runCommand(interaction, commands, lookup, channelParts);
  const names = commands.map(({ word }) => word);
  const looking = lookupFlow(lookup, run, names, channelParts);
  const routes = [...flows, help, looking].flatMap((flow) => flow.routes);
  return { commands, routes: [...notifRoutes(commands, lookup, channelParts), ...routes] };
}
