import type { ModalView } from '@slack/types';
import type { JsonObject } from '../../../lib/text/payload.ts';
import { shortened } from '../../../lib/text/scrub.ts';
import { eventGone } from '../../../lookups/event.ts';
import { PERSON } from '../../../service/query.ts';
import type { SlackCtx } from '../../ctx.ts';
import { preformatted, section } from '../../kit/blocks.ts';
import type { LookupRequest } from '../../kit/button-values.ts';
import { inModal } from '../../kit/in-modal.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { resultView } from '../../kit/views.ts';

const TITLE = 'Raw event';

export function showRawEvent(
  ctx: SlackCtx,
  interaction: Interaction,
  { environment, target }: LookupRequest,
): Promise<void> {
  return inModal(ctx, interaction, TITLE, async () => {
    const answer = await ctx.serviceOf(environment).eventAnswer(target.id, PERSON);
    if (answer === null) throw eventGone();
    return rawView(answer);
  });
}

/** Slack takes 250 kB a view; a character may have three bytes. */
const LONGEST_RAW = 65_000;
/** Chunks are whole lines, or whole characters of a longer line. */
const CHUNKS = /[\s\S]{1,2800}(?:\n|$)|[\s\S]{1,2600}(?![\uDC00-\uDFFF])/g;

export function rawView(masked: JsonObject): ModalView {
  const chunks = shortened(withUnseenEscaped(JSON.stringify(masked, null, 2)), LONGEST_RAW).match(CHUNKS) ?? [];
  const intro = section("The service's answer about this event, without secrets and contacts.");
  return resultView({ blocks: [intro, ...chunks.map(preformatted)] }, TITLE);
}

/** Invisible characters can hide text or change its direction. */
function withUnseenEscaped(json: string) {
  return json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
