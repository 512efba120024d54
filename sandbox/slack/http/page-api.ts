import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction } from '../interactivity/interaction.ts';
import { perform } from '../interactivity/perform.ts';
import { actSchema, type PageActAnswer } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { fileSeenBy, snapshotFor } from '../workspace/snapshot.ts';
import { hasJson, readFields, sendJson, urlOf } from './exchange.ts';

const AT_MOST_EVERY_MS = 100;

/** Sends the person's snapshot at once and after changes, at most one every 100 ms, until the browser disconnects. */
function streamSnapshots(response: ServerResponse, person: SeedPerson, slack: SlackState): void {
  let waiting: NodeJS.Timeout | undefined;
  const send = () => {
    waiting = undefined;
    response.write(`event: snapshot\ndata: ${JSON.stringify(snapshotFor(person, slack))}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  send();
  const unsubscribe = slack.changes.subscribe(() => {
    waiting ??= setTimeout(send, AT_MOST_EVERY_MS);
  });
  response.on('close', () => {
    unsubscribe();
    clearTimeout(waiting);
  });
}

export async function answerPage(request: IncomingMessage, response: ServerResponse, slack: SlackState): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const as = searchParams.get('as') ?? '';
  const person = slack.people.find(as);
  if (person === undefined)
    return sendJson(response, 404, { ok: false, error: 'user_not_found', message: `Nobody has the ID ${as}.` });
  switch (`${request.method} ${pathname}`) {
    case 'GET /page/snapshot':
      return sendJson(response, 200, snapshotFor(person, slack));
    case 'GET /page/stream':
      return streamSnapshots(response, person, slack);
    case 'GET /page/file':
      return sendFile(response, fileSeenBy(person, searchParams.get('id') ?? '', slack));
    case 'POST /page/act':
      return sendJson(response, 200, await answerAct(request, person, slack));
    default:
      return sendJson(response, 404, { ok: false, error: 'not_found', message: `There is no ${pathname}.` });
  }
}

/** Always sends a download, so that no uploaded file is shown or run as a part of the page. */
function sendFile(response: ServerResponse, found: ReturnType<typeof fileSeenBy>): void {
  if (found === undefined) {
    sendJson(response, 404, { ok: false, error: 'file_not_found', message: 'There is no such file here.' });
    return;
  }
  response.writeHead(200, {
    'content-type': found.file.mimetype,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.file.name)}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(found.content);
}

/** Accepts only JSON, which a form on another site can't send unless the browser asks first. */
async function answerAct(request: IncomingMessage, person: SeedPerson, slack: SlackState): Promise<PageActAnswer> {
  if (!hasJson(request)) return { ok: false, error: 'invalid_content_type', message: 'An interaction is JSON.' };
  const act = actSchema.safeParse(await readFields(request));
  if (!act.success) return { ok: false, error: 'invalid_act', message: act.error.message };
  return toAnswer(await perform(person, act.data, slack));
}

function toAnswer(interaction: Interaction): PageActAnswer {
  if (!interaction.ok) return { ok: false, error: interaction.error, message: interaction.message };
  return interaction.options === undefined ? { ok: true } : { ok: true, options: interaction.options };
}
