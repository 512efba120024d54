import { WEEK_MS } from '../../domain/time/durations.ts';
import { type ShowAuditParts, showAudit } from '../../use-cases/access/show-audit.ts';
import { parseRequest, type SinceRequest } from '../blocks/buttons/since-request.ts';
import type { Command, Flow } from '../interactions/command.ts';
import { pageRoutes, routesFor } from '../interactions/route.ts';
import { SINCE_FILTERS, sinceAsked } from '../interactions/since-asked.ts';
import { type AuditOptions, auditPageMessage, ENTRIES_A_PAGE, NEWEST_ENTRIES, OLDER_ENTRIES } from './message.ts';

export interface AuditParts extends ShowAuditParts, AuditOptions {
  readonly now: () => Date;
}

/** `/notif audit` and its pages: who changed what. */
export function auditFlow(parts: AuditParts): Flow {
  const messageOf = async (request: SinceRequest) =>
    auditPageMessage(await showAudit({ ...request, limit: ENTRIES_A_PAGE }, parts), request, parts);
  const audit: Command = {
    word: 'audit',
    usage: '[since: env:]',
    about: 'who changed what in the last week, or since:30d, and the outcome',
    examples: ['', 'since:1d env:production'],
    for: 'operators',
    filters: SINCE_FILTERS,
    usualFilter: 'env',
    environments: 'several',
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(sinceAsked(asked, { usualMs: WEEK_MS, ...parts })));
    },
  };
  const pages = pageRoutes([OLDER_ENTRIES, NEWEST_ENTRIES], parseRequest, messageOf);
  return { commands: [audit], routes: routesFor('operators', pages) };
}
