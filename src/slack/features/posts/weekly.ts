import { labeled } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { messageWithId } from '../../../outbox/messages.ts';
import { Summarized } from '../../../reports/summary.ts';
import { outbreaksBegun } from '../../../reports/week.ts';
import { watchWithId } from '../../../watches/watches.ts';
import type { SlackCtx } from '../../ctx.ts';
import { parseSingle } from '../../kit/button-values.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import type { MessageContent } from '../../kit/message.ts';
import type { Flow } from '../../router/command.ts';
import { answerRoute, routesFor } from '../../router/route.ts';
import { WEEKLY_FILE } from './weekly-message.ts';

const COLUMNS = ['incident', 'environment', 'channel', 'provider', 'cause', 'began', 'acknowledged', 'ended'];
const COUNTS = ['failures', 'people', 'looked at'];

export function weeklyFlow(ctx: SlackCtx): Flow {
  return {
    commands: [],
    routes: routesFor('members', [
      answerRoute(WEEKLY_FILE, parseSingle, (id, { userId }) => sendWeek(ctx, id, userId)),
    ]),
  };
}

/** Sends the outbreaks that a weekly summary counts, as they are known now. */
async function sendWeek(ctx: SlackCtx, messageId: string, userId: string): Promise<MessageContent> {
  const message = await messageWithId(ctx.db, messageId);
  const watch = message?.owner == null ? null : await watchWithId(ctx.db, message.owner);
  const about = Summarized.safeParse(message?.content).data;
  if (watch === null || about === undefined)
    throw new InputError(
      'summary',
      'This summary is no longer kept, or its watch has ended.',
      null,
      'Incidents: /notif history.',
    );
  const { environments, ...range } = about;
  const lines: string[][] = [[...COLUMNS, ...COUNTS]];
  for (const environment of environments) {
    const { label } = labeled(environment, ctx.environments);
    for (const outbreak of await outbreaksBegun(ctx.db, environment, watch.settings.filter, range))
      lines.push([
        `#${outbreak.id}`,
        label,
        outbreak.channel,
        outbreak.provider ?? '',
        outbreak.cause,
        ...[outbreak.beganAt, outbreak.acknowledgedAt, outbreak.endedAt].map((at) => at?.toISOString() ?? ''),
        `${outbreak.failures}`,
        `${outbreak.subscribers}`,
        outbreak.isLookedAt ? 'yes' : 'no',
      ]);
  }
  const day = range.from.toISOString().slice(0, 10);
  return sendCsv(ctx, userId, { name: `week-of-${day}`, title: `Incidents of the week of ${day}`, lines });
}
