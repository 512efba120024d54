import type { FetchFunction } from '@slack/web-api';
import type { Logger, Observer } from '../../lib/logger.ts';
import type { MessageBlock } from '../kit/blocks.ts';
import { markedJson } from '../kit/store-mark.ts';
import { hasNewerKinds, inOlderForm, type RefusedKinds, textBlocks } from '../kit/text-blocks.ts';
import { BLOCK_ERRORS } from '../slack-errors.ts';

export type Send = (...call: Parameters<FetchFunction>) => Promise<Response>;

/** Methods with refusals that answer a question: they don't count as failed calls. */
const ANSWERS = new Set([
  'blocks.validate invalid_blocks',
  'chat.postEphemeral user_not_in_channel',
  'chat.update message_not_found',
  'conversations.info channel_not_found',
  'users.info user_not_found',
  'users.info user_not_visible',
  'views.open expired_trigger_id',
  'views.push expired_trigger_id',
  'views.update not_found',
  'views.publish not_enabled',
  'views.publish user_not_found',
]);

/** An answer of Slack that refuses blocks, which plainer ones can mend. */
const REFUSED = new RegExp(`"error":"(?:${BLOCK_ERRORS.join('|')})"`);

/** Says how each call ended, and how long it took. */
export function observedFetch(send: Send, observe: Observer): Send {
  return async (url, init) => {
    const method = methodOf(String(url));
    const observeEnd = observe(method);
    try {
      const answer = await send(url, init);
      const outcome = outcomeOf(answer.status, await answer.clone().text());
      observeEnd(ANSWERS.has(`${method} ${outcome}`) ? 'answered' : outcome);
      return answer;
    } catch (error) {
      observeEnd(error instanceof Error && error.name === 'TimeoutError' ? 'timed_out' : 'unreachable');
      throw error;
    }
  };
}

/** Files are uploaded to addresses that name no method. */
function methodOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[a-z]+(\.[a-zA-Z]+)+$/.test(last) ? last : 'upload';
}

function outcomeOf(status: number, text: string): string {
  if (status === 429) return 'rate_limited';
  if (status !== 200) return `http_${status}`;
  if (text.startsWith('<')) return 'not_json';
  return text.includes('"ok":false') ? (/"error":"([a-z_]{1,60})"/.exec(text)?.[1] ?? 'ok') : 'ok';
}

/** Marks all that is drawn as this store's (store-mark.ts), whoever drew it. */
export function marking(send: Send, storeCode: string): Send {
  return (url, init) => {
    if (typeof init?.body !== 'string') return send(url, init);
    const form = new URLSearchParams(init.body);
    for (const name of ['blocks', 'view']) {
      const json = form.get(name);
      if (json !== null) form.set(name, markedJson(JSON.parse(json), storeCode));
    }
    return send(url, { ...init, body: form.toString() });
  };
}

/** Sends blocks without the `refusedKinds`; if Slack refuses them, all as text, then only the message's text. */
export function inAcceptedForm(send: Send, refusedKinds: RefusedKinds, logger: Logger): Send {
  return async (url, init) => {
    const form = new URLSearchParams(typeof init?.body === 'string' ? init.body : '');
    const blocksJson = form.get('blocks');
    if (blocksJson === null) return send(url, init);
    const parseBlocks = (): readonly MessageBlock[] => JSON.parse(blocksJson);
    const sendAs = (drawn: readonly object[]): Promise<Response> => {
      form.set('blocks', JSON.stringify(drawn));
      return send(url, { ...init, body: form.toString() });
    };
    const text = { type: 'mrkdwn', text: form.get('text') ?? '', verbatim: true };
    const plainerForms = [
      { level: 'warn', draw: () => (hasNewerKinds(parseBlocks()) ? textBlocks(parseBlocks()) : null) },
      { level: 'error', draw: () => [{ type: 'section', text }] },
    ] as const;
    let answer = await (refusedKinds.size === 0 ? send(url, init) : sendAs(inOlderForm(parseBlocks(), refusedKinds)));
    for (const { level, draw } of plainerForms) {
      const [refusal] = REFUSED.exec(await answer.clone().text()) ?? [];
      if (refusal === undefined) return answer;
      const drawn = draw();
      if (drawn === null) continue;
      logger[level](
        { refusal, channel: form.get('channel') },
        'Slack refused the blocks of a message, sending plainer ones',
      );
      answer = await sendAs(drawn);
    }
    return answer;
  };
}
