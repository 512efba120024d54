import { record } from '../../../audit/audit.ts';
import type { JudgedEvent } from '../../../judging/judge.ts';
import { environmentNamed } from '../../../lib/environment.ts';
import { boundedId, stored } from '../../../lib/text/shown-id.ts';
import { readEvent } from '../../../lookups/event.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { LookupRequest } from '../../kit/buttons.ts';
import { inModal } from '../../kit/in-modal.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { type Form, resultView } from '../../kit/message.ts';

/** Slack takes 3,000 characters of preformatted text. */
export const LONGEST_PREFORMATTED = 2_800;

interface AuditedModal {
  title: string;
  action: 'message-read' | 'provider-words-read';
  read: (judged: JudgedEvent, environment: string) => Promise<Form['blocks']>;
}

/** For operators. The audit trail records the reading before anything is shown. */
export function showAudited(
  ctx: SlackCtx,
  interaction: Interaction,
  request: LookupRequest,
  { title, action, read }: AuditedModal,
): Promise<void> {
  return inModal(ctx, interaction, title, async () => {
    const { userId, channelId: channel } = interaction;
    await ctx.accessControl.authorize(userId, 'operators');
    const { name: environment } = environmentNamed(request.environment, ctx.environments);
    const judged = await readEvent(ctx, request);
    const blocks = await read(judged, environment);
    const { id, transactionId } = judged.event;
    const change = stored({ action, event: boundedId(id ?? transactionId) });
    await record(ctx.db, { actor: userId, now: ctx.now() }, { channel, environment, change });
    return resultView({ blocks }, title);
  });
}
