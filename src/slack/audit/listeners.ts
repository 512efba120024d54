import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type FilterKey, refuseOthers } from '../../domain/input/filters.ts';
import { refuseWords } from '../../domain/input/stray-words.ts';
import { WEEK_MS } from '../../domain/time/durations.ts';
import { parseTimeRange } from '../../domain/time/time-range.ts';
import { type ShowAuditParts, showAudit } from '../../use-cases/access/show-audit.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { Asked, Command } from '../interactions/command.ts';
import type { Flow } from '../interactions/flow.ts';
import type { ActionInteraction } from '../interactions/interaction.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { auditPageMessage, ENTRIES_A_PAGE, NEWEST_ENTRIES, OLDER_ENTRIES } from './message.ts';
import { type AuditRequest, parseRequest } from './request-message.ts';

export interface AuditParts extends ShowAuditParts {
  readonly environments: readonly Environment[];
  /** For how long entries are kept. */
  readonly retentionDays: number;
  readonly now: () => Date;
}

const COMMAND = '/notif audit';

/** Who changed what: `/notif audit` and its pages. */
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
    takesEnvironments: true,
    answer: async (asked, { reply }) => {
      await reply.show(await messageOf(readAuditRequest(asked, parts), parts));
    },
  };
}

/** The pages of an answer. */
function auditRoutes(parts: AuditParts): Route[] {
  const turn = async (request: AuditRequest, { reply }: ActionInteraction) =>
    reply.replace(await messageOf(request, parts));
  return routesFor('operators', [
    actionRoute(OLDER_ENTRIES, parseRequest, turn),
    actionRoute(NEWEST_ENTRIES, parseRequest, turn),
  ]);
}

const ALLOWED: readonly FilterKey[] = ['since', 'env'];

function readAuditRequest({ words, filters }: Asked, { environments, retentionDays, now }: AuditParts): AuditRequest {
  refuseWords(words, { command: COMMAND, allowed: ALLOWED, usual: 'env' });
  refuseOthers(filters, ALLOWED, COMMAND);
  const [since, ...others] = filters.since ?? [];
  if (others.length > 0) throw new InputError('since', 'since: takes one time.', 'since:1d');
  const { from } = parseTimeRange({ since }, now(), { durationMs: WEEK_MS, maxDays: Math.max(7, retentionDays) });
  const named = (filters.env ?? []).map((name) => environmentNamed(name, environments).name);
  return { since: from, environments: named, olderThan: null };
}

async function messageOf(request: AuditRequest, parts: AuditParts): Promise<MessageContent> {
  const page = await showAudit({ ...request, limit: ENTRIES_A_PAGE }, parts);
  return auditPageMessage(page, request, parts);
}
