import { record } from '../../../audit/audit.ts';
import { failuresOf } from '../../../incidents/affected.ts';
import { type IncidentNow, refOf } from '../../../incidents/incident.ts';
import { type IncidentRef, writeIncidentRef } from '../../../incidents/incident-ref.ts';
import { incidentNumbered } from '../../../incidents/lists.ts';
import { auditedIncident } from '../../../incidents/timeline.ts';
import type { JudgedEvent } from '../../../judging/judge.ts';
import { labeled } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { maskedId, stored } from '../../../lib/text/shown-id.ts';
import { readEvent, targetOf } from '../../../lookups/event.ts';
import { answersAbout } from '../../../lookups/provider-answers.ts';
import { mayBeAboutTheRequest, ServiceError } from '../../../service/service-error.ts';
import type { SlackCtx } from '../../ctx.ts';
import { actions, button, context } from '../../kit/blocks.ts';
import { parseIncident, writeValue } from '../../kit/button-values.ts';
import { sendCsv } from '../../kit/csv-file.ts';
import type { ActionInteraction } from '../../kit/interaction.ts';
import { type MessageContent, message } from '../../kit/message.ts';
import { channelVia } from '../../kit/names.ts';
import { answerRoute, type Route, routesFor } from '../../router/route.ts';

export const PROVIDER_FILE = 'incident.provider-file';
const WHOLE_FILE = 'incident.provider-file-whole';

const MOST_FAILURES = 100;
/** More would fill the queue of people's requests. */
const AT_ONCE = 12;

const ABOUT_MASKS = 'What it says of people is masked (•••). Operators can have it all; that is in the audit trail.';
const COLUMNS = ['time', 'channel', 'provider', 'message ID', 'request ID', 'code', 'answer', 'event', 'transaction'];

export function providerFileRoutes(ctx: SlackCtx): Route[] {
  const sent = (isWhole: boolean) => (ref: IncidentRef, interaction: ActionInteraction) =>
    sendProviderFile(ctx, { ref, isWhole }, interaction);
  return [
    ...routesFor('members', [answerRoute(PROVIDER_FILE, parseIncident, sent(false))]),
    ...routesFor('operators', [answerRoute(WHOLE_FILE, parseIncident, sent(true))]),
  ];
}

/** What a provider's support asks for. Only `isWhole` has the answers as they came, with what they say of people. */
async function sendProviderFile(
  ctx: SlackCtx,
  { ref, isWhole }: { ref: IncidentRef; isWhole: boolean },
  { userId, channelId }: ActionInteraction,
): Promise<MessageContent> {
  const incident = await incidentNumbered(ctx.db, ref, ctx.now());
  const { id, environment, channel, provider } = incident;
  const { failures } = await failuresOf(ctx.db, id, { upTo: null, offset: 0, limit: MOST_FAILURES });
  const lines: string[][] = [];
  let unread = 0;
  for (let first = 0; first < failures.length; first += AT_ONCE) {
    const read = failures.slice(first, first + AT_ONCE).map(({ eventId, transactionId }) => {
      return readIfKept(ctx, { environment, target: targetOf({ id: eventId, transactionId }) });
    });
    for (const judged of await Promise.all(read)) {
      if (judged === null) unread += 1;
      else lines.push(...linesOf(judged, incident, isWhole));
    }
  }
  if (isWhole) {
    const change = stored({ action: 'answers-exported', incident: auditedIncident(incident) });
    await record(ctx.db, { actor: userId, now: ctx.now() }, { channel: channelId, environment, change });
  }
  const gone = unread > 0 ? [[`and ${unread} more that the service no longer has`]] : [];
  const content = await sendCsv(ctx, userId, {
    name: `${provider ?? channel}-${environment}-${id}`,
    title: `${labeled(environment, ctx.environments).label} #${id}: ${channelVia(channel, provider)}, ${lines.length} answers${isWhole ? ' as they came' : ''}, times in UTC`,
    lines: [COLUMNS, ...lines, ...gone],
  });
  const whole = button('With the answers as they came', WHOLE_FILE, writeValue([writeIncidentRef(refOf(incident))]));
  return isWhole ? content : message([...content.blocks, context(ABOUT_MASKS), ...actions([whole])]);
}

async function readIfKept(ctx: SlackCtx, request: Parameters<typeof readEvent>[1]): Promise<JudgedEvent | null> {
  try {
    return await readEvent(ctx, request);
  } catch (error) {
    const isGone =
      error instanceof InputError || (error instanceof ServiceError && mayBeAboutTheRequest(error.problem));
    if (isGone) return null;
    throw error;
  }
}

function linesOf(judged: JudgedEvent, incident: IncidentNow, isWhole: boolean): string[][] {
  const { id, transactionId } = judged.event;
  return answersAbout(judged, incident).map(({ at, channel, provider, messages, requests, code, said }) => [
    at?.toISOString() ?? '',
    channel,
    provider ?? '',
    messages.join(' '),
    requests.join(' '),
    code ?? '',
    isWhole ? said.forOperators() : `${said}`,
    id ?? '',
    maskedId(transactionId),
  ]);
}
