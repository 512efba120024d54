import { type Arguments, invalidArguments, Refusal } from '../arguments.ts';
import { textsIn, withIds } from '../block-kit/controls.ts';
import { isJson, objectsIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import type { MessageContent } from '../state.ts';
import { type BlockKit, ONE_TABLE } from './block-kit.ts';
import { lineOf } from './check.ts';

const MAX_VIEW_BYTES = 250_000;

/**
 * Undocumented. Users have seen about this size, counted over the blocks' JSON (slackapi/bolt-js #2509, #2867). A data table counts by its
 * texts: the JSON of one within its documented limits can be several times as long.
 */
const MAX_BLOCKS_JSON = 13_200;

/** Slack cuts longer text in `chat.postMessage` and refuses it elsewhere. */
export const POSTED_TEXT_LIMIT = 40_000;
/** The hard limit that `chat.update` documents. */
export const UPDATED_TEXT_LIMIT = 4_000;

/** Accepts the text, blocks and metadata of a message, or refuses them in Slack's words. */
export function acceptContent(args: Arguments, blockKit: BlockKit): MessageContent {
  const blocks = acceptBlocks(args, blockKit);
  const text = args.text('text') ?? '';
  if (text === '' && blocks.length === 0) throw new Refusal('no_text');
  return { text, blocks: withIds(blocks), metadata: acceptMetadata(args) };
}

/** Accepts a message's metadata: null if none is sent, an empty object if it is to be removed. */
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

/** Accepts the view of a modal or a Home tab and fills in IDs, or refuses it as views.* do. */
export function acceptView(view: unknown, type: 'modal' | 'home', blockKit: BlockKit): Json {
  if (!isJson(view)) throw invalidArguments('must provide an object [json-pointer:/view]');
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
  const lines = blockKit.view(view, type, '/view').map(lineOf);
  if (lines.length > 0) {
    throw invalidArguments('failed to match all allowed schemas [json-pointer:/view]', ...lines);
  }
  return { ...view, blocks: withIds(objectsIn(view, 'blocks')) };
}

function acceptBlocks(args: Arguments, blockKit: BlockKit): readonly Json[] {
  const blocks = args.structure('blocks') ?? [];
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = blockKit.blocks(blocks, '/blocks');
  if (problems.some(({ message }) => message === ONE_TABLE)) {
    throw new Refusal('invalid_attachments', { response_metadata: { messages: [ONE_TABLE] } });
  }
  if (problems.length > 0) {
    const errors = problems.map(lineOf);
    const messages = errors.map((line) => `[ERROR] ${line}`);
    throw new Refusal('invalid_blocks', { errors, response_metadata: { messages } });
  }
  if (JSON.stringify(blocks.map(counted)).length > MAX_BLOCKS_JSON) throw new Refusal('msg_blocks_too_long');
  return blocks.filter(isJson);
}

function counted(block: unknown): unknown {
  return isJson(block) && block.type === 'data_table' ? textsIn(block.rows).join('') : block;
}
