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
import type { CommandInteraction } from '../slack/interactions/interaction.ts';
import { notifRoutes, runCommand } from '../slack/interactions/notif-command.ts';
import { eventsFlow } from '../slack/lookup/events.ts';
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
export function createFlows(ctx: SlackParts): Flow {
  const { store } = ctx;
  const topic = topicFlow(ctx);
  const event = eventFlow({
    ...ctx,
    answerUnknown: (nothing) => answerUnknownId(ctx, nothing, topic.answer),
  });
  const acting = incidentsFlow(ctx);
  const flows = [
    event,
    eventsFlow(ctx),
    failuresFlow(ctx),
    messagesFlow(ctx),
    integrationsFlow(ctx),
    changesFlow(ctx),
    topic,
    triggerFlow(ctx),
    credentialsFlow(ctx),
    auditFlow(ctx),
    acting,
    historyFlow(ctx),
    handoverFlow(ctx),
    watchesFlow({
      ...ctx,
      muteNamed: acting.muteNamed,
      unmuteNamed: acting.unmuteNamed,
    }),
    environmentFlow(ctx),
    statusFlow({ ...ctx, store: doctorStore(store) }),
    digestFlow(ctx),
    homeFlow({ ...ctx, store: statusStore(store) }),
  ];
  const others = flows.flatMap(({ commands }) => commands);
  const help = helpFlow(ctx, others);
  const commands = [...others, ...help.commands];
  const channelCtx = { ...ctx, showNumbered: acting.showNumbered };
  const lookup = createLookup(channelCtx, event.answer);
  const run = (interaction: CommandInteraction) => runCommand(channelCtx, interaction, commands, lookup);
  const names = commands.map(({ word }) => word);
  const looking = lookupFlow(channelCtx, lookup, run, names);
  const routes = [...flows, help, looking].flatMap((flow) => flow.routes);
  return { commands, routes: [...notifRoutes(channelCtx, commands, lookup), ...routes] };
}
