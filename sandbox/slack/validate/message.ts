import type { Arguments } from '../arguments.ts';
import { textsIn } from '../block-kit/controls.ts';
import { attachmentsWithIds, withIds } from '../block-kit/ids.ts';
import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import type { MessageContent } from '../state/messages.ts';
import type { BlockKit } from './block-kit.ts';
import { acceptMetadata } from './metadata.ts';
import { lineOf, type Problem } from './problem.ts';
import { ONE_TABLE } from './rules/blocks.ts';

/**
 * Undocumented. Users have seen about this size, counted over the blocks' JSON (slackapi/bolt-js #2509, #2867). A data table counts by its
 * texts: the JSON of one within its documented limits can be several times as long.
 */
const MAX_BLOCKS_JSON = 13_200;
const MAX_ATTACHMENTS = 100;
/** Slack has an error code for too much of it but no number; this one is chosen. */
const MAX_ATTACHMENTS_JSON = 100_000;
const MAX_MARKDOWN_TEXT = 12_000;

/** Slack cuts longer text in `chat.postMessage` and refuses it elsewhere. */
export const POSTED_TEXT_LIMIT = 40_000;
/** The hard limit that `chat.update` documents. */
export const UPDATED_TEXT_LIMIT = 4_000;

/** Accepts the text, blocks, attachments and metadata of a message, or refuses them in Slack's words. */
export function acceptContent(args: Arguments, blockKit: BlockKit): MessageContent {
  const blocks = acceptBlocks(args, blockKit);
  const attachments = acceptAttachments(args, blocks, blockKit);
  const text = args.text('text') ?? args.text('markdown_text') ?? '';
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new Refusal('no_text');
  return {
    text,
    blocks: withIds(blocks),
    attachments: attachmentsWithIds(attachments),
    metadata: acceptMetadata(args),
  };
}

function acceptBlocks(args: Arguments, blockKit: BlockKit): readonly Json[] {
  if (args.has('markdown_text')) refuseMarkdownConflict(args);
  const blocks = args.structure('blocks') ?? [];
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  refuse('invalid_blocks', blockKit.message({ blocks }, ''));
  if (JSON.stringify(blocks.map(counted)).length > MAX_BLOCKS_JSON) throw new Refusal('msg_blocks_too_long');
  return blocks.filter(isJson);
}

function counted(block: unknown): unknown {
  return isJson(block) && block.type === 'data_table' ? textsIn(block.rows).join('') : block;
}

function refuseMarkdownConflict(args: Arguments): void {
  if (args.has('text') || args.has('blocks')) throw new Refusal('markdown_text_conflict');
  if (args.required('markdown_text').length > MAX_MARKDOWN_TEXT) throw new Refusal('msg_too_long');
}

/** The message's own blocks are already valid, so any problem is in the attachments. */
function acceptAttachments(args: Arguments, blocks: readonly Json[], blockKit: BlockKit): readonly Json[] {
  const attachments = args.structure('attachments') ?? [];
  if (!Array.isArray(attachments) || !attachments.every(isJson)) throw new Refusal('invalid_attachments');
  if (attachments.length === 0) return [];
  if (attachments.length > MAX_ATTACHMENTS) throw new Refusal('too_many_attachments');
  refuse('invalid_attachments', blockKit.message({ blocks, attachments }, ''));
  if (JSON.stringify(attachments.map((each) => each.blocks)).length > MAX_BLOCKS_JSON) {
    throw new Refusal('msg_blocks_too_long');
  }
  if (JSON.stringify(attachments).length > MAX_ATTACHMENTS_JSON) throw new Refusal('attachment_payload_limit_exceeded');
  return attachments;
}

function refuse(word: string, problems: readonly Problem[]): void {
  if (problems.some(({ code }) => code === ONE_TABLE)) {
    throw new Refusal('invalid_attachments', { response_metadata: { messages: [ONE_TABLE] } });
  }
  if (problems.length === 0) return;
  const errors = problems.map(lineOf);
  throw new Refusal(word, { errors, response_metadata: { messages: errors.map((line) => `[ERROR] ${line}`) } });
}
