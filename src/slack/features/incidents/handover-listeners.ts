import { peopleNamed } from '../../../incidents/handover.ts';
import { HOUR_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { Command, Flow } from '../../router/command.ts';
import { parseSince, SINCE_FILTERS } from '../../router/command.ts';
import { routesFor } from '../../router/route.ts';
import { shareRoutes } from '../../router/share-route.ts';
import { writeHandover } from './handover.ts';
import { handoverMessage, SHARE } from './handover-message.ts';
import { type HandoverRequest, parseRequest } from './handover-request.ts';

/** The length of a shift, which `since:` overrides. */
const SHIFT_MS = 8 * HOUR_MS;

export function handoverFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: HandoverRequest) => {
    const { handover, options } = await written(ctx, request);
    return handoverMessage(handover, options, request);
  };
  const handover: Command = {
    word: 'handover',
    usage: '[since:8h env:]',
    about: 'what is open and who has it, what is over, gaps and mutes that end soon, of the last 8 h',
    examples: ['', 'since:12h env:production'],
    for: 'members',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (line, { reply }) => {
      await reply.show(await messageOf(parseSince(line, { usualMs: SHIFT_MS, ...ctx })));
    },
  };
  const routes = routesFor('members', [...shareRoutes(ctx, SHARE, parseRequest, messageOf)]);
  return { commands: [handover], routes };
}

async function written(ctx: SlackCtx, { since, environments }: HandoverRequest) {
  const all = ctx.environments.map(({ name }) => name);
  const chosen = environments.length === 0 ? all : all.filter((name) => environments.includes(name));
  const handover = await writeHandover(ctx, chosen, since);
  const names = await ctx.workspace.namesOf(peopleNamed(handover));
  return { handover, options: { configured: ctx.environments, names } };
}
