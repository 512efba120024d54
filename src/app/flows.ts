import { auditFlow } from '../slack/audit/listeners.ts';
import { credentialsFlow } from '../slack/credentials/listeners.ts';
import { digestFlow } from '../slack/digest/listeners.ts';
import { doctorFlow } from '../slack/doctor/listeners.ts';
import { environmentFlow } from '../slack/environment/listeners.ts';
import { eventFlow } from '../slack/event/listeners.ts';
import { failuresFlow } from '../slack/failures/listeners.ts';
import { helpFlow } from '../slack/help/listeners.ts';
import { homeFlow, notingHomeClicks } from '../slack/home/listeners.ts';
import { incidentsFlow } from '../slack/incidents/listeners.ts';
import { integrationsFlow } from '../slack/integrations/listeners.ts';
import type { Flow } from '../slack/interactions/flow.ts';
import { notifRoutes, runCommand } from '../slack/interactions/notif-command.ts';
import { lookupFlow } from '../slack/lookup/listeners.ts';
import { createLookup } from '../slack/lookup/lookup.ts';
import { answerUnknownId } from '../slack/lookup/unknown-id.ts';
import { messagesFlow } from '../slack/messages/listeners.ts';
import { statusFlow } from '../slack/status/listeners.ts';
import { topicFlow } from '../slack/topic/listeners.ts';
import { triggerFlow } from '../slack/trigger/listeners.ts';
import { watchesFlow } from '../slack/watches/listeners.ts';
import type { SlackParts } from './slack-parts.ts';

/** Builds each flow, and joins them: the commands in the order of help, and a route for everything else that Slack sends. */
export function createFlows(parts: SlackParts): Flow {
  const topic = topicFlow(parts);
  const event = eventFlow({
    ...parts,
    answerUnknown: (nothing, reader) => answerUnknownId(nothing, reader, topic.answer, parts),
  });
  const incidents = incidentsFlow(parts);
  const flows = [
    event,
    failuresFlow(parts),
    messagesFlow(parts),
    integrationsFlow(parts),
    topic,
    triggerFlow(parts),
    credentialsFlow(parts),
    auditFlow(parts),
    incidents,
    watchesFlow({ ...parts, muteNamed: incidents.muteNamed }),
    environmentFlow(parts),
    statusFlow(parts),
    doctorFlow(parts),
    digestFlow(parts),
    homeFlow(parts),
  ];
  const others = flows.flatMap(({ commands }) => commands);
  const help = helpFlow(others, parts);
  const commands = [...others, ...help.commands];
  const lookup = createLookup(event.answer, parts);
  const words = commands.map(({ word }) => word);
  const looking = lookupFlow(lookup, (interaction) => runCommand(interaction, commands, lookup, parts), words, parts);
  const routes = [...flows, help, looking].flatMap((flow) => flow.routes);
  return { commands, routes: notingHomeClicks([...notifRoutes(commands, lookup, parts), ...routes], parts) };
}
