import { WEEK_MS } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { ROWS_LOADED } from '../../kit/list.ts';
import { parseRequest, type SinceRequest } from '../../kit/since-request.ts';
import { type Command, type Flow, parseSince, SINCE_FILTERS } from '../../router/command.ts';
import { answerRoutes, routesFor } from '../../router/route.ts';
import { auditMessage, MORE_ENTRIES } from './audit-message.ts';

export function auditFlow(ctx: SlackCtx): Flow {
  const messageOf = async (request: SinceRequest) =>
    auditMessage(await ctx.store.audit.auditEntries({ ...request, limit: ROWS_LOADED }), request, ctx);
  const audit: Command = {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    filters: SINCE_FILTERS,
    follows: 'filters',
    environments: 'several',
    answer: async (line, { reply }) => {
      await reply.show(await messageOf(parseSince(line, { usualMs: WEEK_MS, ...ctx })));
    },
  };
  const more = answerRoutes([MORE_ENTRIES], parseRequest, messageOf);
  return { commands: [audit], routes: routesFor('operators', more) };
}
