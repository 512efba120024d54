import { deployName } from '../../domain/changes/deploy.ts';
import { environmentNamed } from '../../domain/environment.ts';
import { onlyValue, parseCommandText } from '../../domain/input/filters.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { type ChangesList, listChanges } from '../../use-cases/changes/list-changes.ts';
import { type NoteDeployParts, noteDeploy } from '../../use-cases/changes/note-deploy.ts';
import { ROWS_LOADED } from '../blocks/list.ts';
import { parseRequest, type SinceRequest } from '../blocks/since-request.ts';
import type { Asked, Command, Flow } from '../interactions/command.ts';
import type { CommandInteraction } from '../interactions/interaction.ts';
import { answerRoutes, routesFor } from '../interactions/route.ts';
import { SINCE_FILTERS, sinceAsked } from '../interactions/since-asked.ts';
import { type ChangesOptions, changesMessage, deployNoted, MORE_CHANGES } from './message.ts';

export interface ChangesParts extends NoteDeployParts, Omit<ChangesOptions, 'now'> {
  readonly store: NoteDeployParts['store'] & ChangesList;
}

const EXAMPLE = '/notif deployed checkout 2.3';

export function changesFlow(parts: ChangesParts): Flow {
  const messageOf = async (request: SinceRequest) => {
    const page = await listChanges({ ...request, limit: ROWS_LOADED }, parts);
    return changesMessage(page, request, { ...parts, now: parts.now() });
  };
  const changes: Command = {
    word: 'changes',
    usage: '[since: env:]',
    about: 'what was changed around an environment in the last day, or since:7d: integrations, workflows, deploys',
    examples: ['', 'since:7d env:production'],
    for: 'everyone',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (asked, { reply }) => {
      const request = sinceAsked(asked, { usualMs: DAY_MS, ...parts });
      const environments = request.environments.length === 0 ? [asked.environment.name] : request.environments;
      await reply.show(await messageOf({ ...request, environments }));
    },
  };
  const deployed: Command = {
    word: 'deployed',
    usage: '<what> [env:]',
    about: 'report a deploy: what fails shortly after it says so',
    examples: ['checkout 2.3', 'new mail templates env:staging'],
    for: 'members',
    filters: ['env'],
    follows: 'text',
    answer: (asked, interaction) => reportDeploy(asked, interaction, parts),
  };
  const more = answerRoutes([MORE_CHANGES], parseRequest, messageOf);
  return { commands: [changes, deployed], routes: routesFor('everyone', more) };
}

/** Matches `env:` anywhere in the text, written as in other commands, with what separates it. The rest is the deploy's name. */
const ENVIRONMENT = /(?:(?<!\S)|[,;]\s*)(env:\s*(?:"[^"]*"|\S*))/giu;

async function reportDeploy(
  { words: [typed = ''], environment: usual }: Asked,
  { reply, userId, channelId: channel }: CommandInteraction,
  parts: ChangesParts,
): Promise<void> {
  const { filters } = parseCommandText([...typed.matchAll(ENVIRONMENT)].map(([, filter]) => filter).join(' '));
  const named = onlyValue('env', filters);
  const environment = named === undefined ? usual : environmentNamed(named, parts.environments);
  const name = deployName(typed.replaceAll(ENVIRONMENT, ' ').replace(/\s+/gu, ' '), EXAMPLE);
  const isNew = await noteDeploy({ environment: environment.name, name, by: { userId, channel } }, parts);
  await reply.show(deployNoted(name, environment, isNew));
}
