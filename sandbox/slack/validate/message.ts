import type { Arguments } from '../arguments.ts';
import { attachmentsWithIds, withIds } from '../block-kit/ids.ts';
import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import type { MessageContent } from '../state/messages.ts';
import { checkBlocks, ONE_TABLE } from './payload.ts';
import type { Problem } from './rules.ts';

/** Undocumented; seen by users at about this size, counted over the blocks' JSON (slackapi/bolt-js #2509, #2867). */
const MAX_BLOCKS_JSON = 13_200;
const MAX_ATTACHMENTS = 100;
const MAX_MARKDOWN_TEXT = 12_000;

/** Slack cuts what is longer in `chat.postMessage`; elsewhere it refuses it. */
export const POSTED_TEXT_LIMIT = 40_000;
/** The hard limit that `chat.update` documents. */
export const UPDATED_TEXT_LIMIT = 4_000;

/** Takes the text, blocks, attachments and metadata of a message, or refuses them in Slack's words. */
export function acceptContent(args: Arguments): MessageContent {
  const blocks = acceptBlocks(args);
  const attachments = acceptAttachments(args.structure('attachments'));
  const text = args.text('text') ?? args.text('markdown_text') ?? '';
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new Refusal('no_text');
  return { text, blocks, attachments, metadata: acceptMetadata(args) };
}

function acceptBlocks(args: Arguments): readonly Json[] {
  if (args.has('markdown_text')) refuseMarkdownConflict(args);
  const blocks = args.structure('blocks') ?? [];
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = checkBlocks(blocks, 'message', '/blocks');
  if (problems.some(({ code }) => code === ONE_TABLE)) {
    throw new Refusal('invalid_attachments', { response_metadata: { messages: [ONE_TABLE] } });
  }
  if (problems.length > 0) throw invalidBlocks('invalid_blocks', problems);
  if (JSON.stringify(blocks).length > MAX_BLOCKS_JSON) throw new Refusal('msg_blocks_too_long');
  return withIds(blocks.filter(isJson));
}

function refuseMarkdownConflict(args: Arguments): void {
  if (args.has('text') || args.has('blocks')) throw new Refusal('markdown_text_conflict');
  if (args.required('markdown_text').length > MAX_MARKDOWN_TEXT) throw new Refusal('msg_too_long');
}

function acceptAttachments(attachments: unknown): readonly Json[] {
  if (attachments === undefined || attachments === null) return [];
  if (!Array.isArray(attachments) || !attachments.every(isJson)) throw new Refusal('invalid_attachments');
  if (attachments.length > MAX_ATTACHMENTS) throw new Refusal('too_many_attachments');
  const problems = attachments.flatMap((attachment, index) =>
    checkBlocks(attachment.blocks ?? [], 'message', `/attachments/${index}/blocks`),
  );
  if (problems.length > 0) throw invalidBlocks('invalid_attachments', problems);
  if (JSON.stringify(attachments).length > MAX_BLOCKS_JSON) throw new Refusal('msg_blocks_too_long');
  return attachmentsWithIds(attachments);
}

/** Takes the metadata of a message: null when none is sent, an empty object when it is to be removed. */
export function acceptMetadata(args: Arguments): Json | null {
  const metadata = args.structure('metadata');
  if (metadata === undefined || metadata === null) return null;
  if (!isJson(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return metadata;
  if (typeof metadata.event_type !== 'string' || !isJson(metadata.event_payload)) {
    throw new Refusal('invalid_metadata_schema');
  }
  return metadata;
}

function invalidBlocks(word: string, problems: readonly Problem[]): Refusal {
  const lines = problems.map(lineOf);
  return new Refusal(word, {
    errors: lines,
    response_metadata: { messages: lines.map((line) => `[ERROR] ${line}`) },
  });
}

/** A problem as Slack writes it: `must be less than 76 characters [json-pointer:/blocks/0/text/text]`. */
export function lineOf({ message, pointer }: Problem): string {
  return `${message} [json-pointer:${pointer}]`;
}
