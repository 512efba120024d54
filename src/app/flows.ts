import type { DoctorCtx } from '../health/doctor.ts';
import type { SlackCtx } from '../slack/ctx.ts';
import { auditCommand } from '../slack/features/changes/audit.ts';
import { changesCommand, deployedCommand } from '../slack/features/changes/changes.ts';
import { credentialsFlow } from '../slack/features/credentials/credentials.ts';
import { eventsCommand } from '../slack/features/event/events.ts';
import { lookupFlow } from '../slack/features/event/lookup.ts';
import { messagesCommand } from '../slack/features/event/messages.ts';
import { subscriberCommand } from '../slack/features/event/subscriber.ts';
import { chartCommand } from '../slack/features/failures/chart.ts';
import { failuresCommand } from '../slack/features/failures/failures.ts';
import { statsCommand } from '../slack/features/failures/stats.ts';
import { doctorCommand } from '../slack/features/health/doctor.ts';
import { homeFlow } from '../slack/features/health/home.ts';
import { statusCommand } from '../slack/features/health/status.ts';
import { helpCommand } from '../slack/features/help/help.ts';
import { handoverCommand } from '../slack/features/incidents/handover.ts';
import { historyCommand } from '../slack/features/incidents/history.ts';
import { incidentsFlow } from '../slack/features/incidents/incidents-flow.ts';
import { integrationsCommand } from '../slack/features/integrations/integrations.ts';
import { weeklyFlow } from '../slack/features/posts/weekly.ts';
import { topicCommand } from '../slack/features/topic/topic.ts';
import { triggerFlow } from '../slack/features/trigger/trigger.ts';
import { watchesFlow } from '../slack/features/watches/commands.ts';
import { environmentCommand } from '../slack/features/watches/environment-command.ts';
import type { CommandInteraction } from '../slack/kit/interaction.ts';
import { type Command, type Flow, runCommand } from '../slack/router/command.ts';
import { messageRoutes } from '../slack/router/mentions.ts';
import { notifRoutes } from '../slack/router/run-and-share.ts';

const flow = (...commands: readonly Command[]): Flow => ({ commands, routes: [] });

export function createFlows(ctx: SlackCtx & DoctorCtx): Flow {
  const lookups = lookupFlow(ctx);
  const { lookup } = lookups;
  const incidents = incidentsFlow(ctx);
  const { incidentAnswer, whichIncident } = incidents;
  // Help has the commands of a purpose in this order.
  const flows = [
    lookups,
    flow(eventsCommand(ctx), subscriberCommand(ctx), messagesCommand(ctx), topicCommand(ctx), integrationsCommand(ctx)),
    flow(failuresCommand(ctx), statsCommand(ctx), chartCommand(ctx)),
    flow(historyCommand(ctx), handoverCommand(ctx), changesCommand(ctx)),
    incidents,
    watchesFlow(ctx, incidents.changeMutes),
    flow(environmentCommand(ctx)),
    triggerFlow(ctx),
    credentialsFlow(ctx),
    flow(deployedCommand(ctx), auditCommand(ctx)),
    flow(statusCommand(ctx), doctorCommand(ctx)),
    homeFlow(ctx),
    weeklyFlow(ctx),
  ];
  const others = flows.flatMap(({ commands }) => commands);
  const commands = [...others, helpCommand(ctx, others)];
  const answers = { commands, lookup, incidentAnswer, whichIncident };
  const run = (interaction: CommandInteraction) => runCommand(ctx, interaction, answers);
  const routes = [
    ...notifRoutes(ctx, run),
    ...flows.flatMap((flow) => flow.routes),
    ...messageRoutes(ctx, lookup, run, others),
  ];
  return { commands, routes };
}
