import type { Environment } from '../../domain/environment.ts';
import { WEEK_MS } from '../../domain/time/durations.ts';
import { type ShowAuditParts, showAudit } from '../../use-cases/access/show-audit.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { parseRequest, type SinceRequest } from '../blocks/buttons/since-request.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { pageRoutes, type Route, routesFor } from '../interactions/route.ts';
import { SINCE_FILTERS, sinceAsked } from '../interactions/since-asked.ts';
import { auditPageMessage, ENTRIES_A_PAGE, NEWEST_ENTRIES, OLDER_ENTRIES } from './message.ts';

export interface AuditParts extends ShowAuditParts {
  readonly environments: readonly Environment[];
  /** How long entries are kept. */
  readonly retentionDays: number;
  readonly now: () => Date;
}

/** `/notif audit` and its pages: who changed what. */
export function auditFlow(parts: AuditParts): Flow {
  return { commands: [auditCommand(parts)], routes: auditRoutes(parts) };
}

/** `/notif audit [since: env:]` */
function auditCommand(parts: AuditParts): Command {
  return {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    filters: SINCE_FILTERS,
    usualFilter: 'env',
    environments: 'several',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(sinceAsked(asked, { usualMs: WEEK_MS, ...parts }), parts));
    },
  };
}

/** The routes for the pages of an answer. */
function auditRoutes(parts: AuditParts): Route[] {
  const pageOf = (request: SinceRequest) => messageOf(request, parts);
  return routesFor('operators', pageRoutes([OLDER_ENTRIES, NEWEST_ENTRIES], parseRequest, pageOf));
}

async function messageOf(request: SinceRequest, parts: AuditParts): Promise<MessageContent> {
  const page = await showAudit({ ...request, limit: ENTRIES_A_PAGE }, parts);
  return auditPageMessage(page, request, parts);
}
