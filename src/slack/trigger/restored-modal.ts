import type { ModalView } from '@slack/types';
import type { Environment } from '../../domain/environment.ts';
import { ENVIRONMENT } from '../blocks/inputs/environment-input.ts';
import { VIEW_TITLE } from '../blocks/limits.ts';
import { plain } from '../blocks/text.ts';
import type { DraftedForm } from '../interactions/route.ts';
import { environmentOfSelect, parseTriggerForm, plainHead, WORKFLOW, writeTriggerForm } from './modal.ts';

/**
 * Returns how the form for a test is kept and restored. It's restored with the newly opened form's intent, because the draft's may have been
 * submitted, and without the preview above its fields, which was another form's.
 */
export function triggerDraft(environments: readonly Environment[]): DraftedForm {
  return {
    subject: (privateMetadata) => (parseTriggerForm(privateMetadata).isSending ? null : ''),
    restored: (draft, opened) => withoutHead(draft, opened, environments),
  };
}

function withoutHead(draft: ModalView, opened: string, environments: readonly Environment[]): ModalView {
  const idOf = (block: ModalView['blocks'][number]) => block.block_id ?? '';
  const isWorkflow = (id: string) => id.startsWith(`${WORKFLOW}:`);
  const first = draft.blocks.findIndex((block) => idOf(block) === ENVIRONMENT || isWorkflow(idOf(block)));
  const blocks = draft.blocks.slice(Math.max(0, first));
  const name = environmentOfSelect(blocks.map(idOf).find(isWorkflow) ?? '');
  const { submit, ...head } = plainHead(environments.find((one) => one.name === name) ?? { isProtected: false });
  return {
    ...draft,
    blocks,
    submit: plain(submit, VIEW_TITLE),
    private_metadata: writeTriggerForm(parseTriggerForm(opened), head),
  };
}
