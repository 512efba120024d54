import type { ModalView } from '@slack/types';
import type { Environment } from '../../../lib/environment.ts';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { eventGone } from '../../../lookups/event.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { preformatted, section } from '../../kit/blocks.ts';
import { mrkdwn } from '../../kit/text.ts';
import { resultView } from '../../kit/view.ts';

export const RAW_TITLE = 'Raw event';

export async function rawEvent(ctx: SlackCtx, environment: Environment, id: string): Promise<ModalView> {
  const answer = await ctx.serviceOf(environment.name).eventAnswer(id, PERSON);
  if (answer === null) throw eventGone();
  return rawView(answer);
}

/** Whole lines, or whole characters of a longer one: Slack takes 3,000 of preformatted text. */
const CHUNKS = /[\s\S]{1,2800}(?:\n|$)|[\s\S]{1,2600}(?![\uDC00-\uDFFF])/g;
/** Slack takes 250 kB a view; a character may have three bytes. */
const MOST_CHUNKS = 25;

export function rawView(masked: JsonObject): ModalView {
  const chunks = withUnseenEscaped(JSON.stringify(masked, null, 2)).match(CHUNKS) ?? [];
  const what = mrkdwn`The service's answer about this event, without secrets and contacts`;
  const cut = chunks.length > MOST_CHUNKS ? mrkdwn`; its end is left out, as it's too long for Slack` : '';
  return resultView(
    { blocks: [section(mrkdwn`${what}${cut}.`), ...chunks.slice(0, MOST_CHUNKS).map(preformatted)] },
    RAW_TITLE,
  );
}

/** Such characters hide, or change the text's direction. */
function withUnseenEscaped(json: string): string {
  return json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
