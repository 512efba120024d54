import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJson } from '../json.ts';
import { type Problem, problem } from './problem.ts';
import { blocksIn, ofType, type Placed, placedIn } from './rules/placed.ts';
import type { Payload } from './rules/rule.ts';
import { breaches } from './rules/rules.ts';
import { submitWithInputs } from './rules/views.ts';
import { BLOCK_KIT } from './schema/block-kit-schema.ts';
import { FORMATS } from './schema/formats.ts';
import { KEYWORDS } from './schema/keywords.ts';
import { problemOf } from './wording.ts';

/** The parts of a message as received. */
export interface MessageParts {
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/** What a workspace says of blocks that it doesn't have yet. */
export const NOT_HERE = 'not supported in this workspace';

/** The blocks of 2026, which Slack introduces workspace by workspace. */
const NEWER_BLOCKS = ['alert', 'container', 'data_table', 'data_visualization'];

/**
 * The only validator of Block Kit, used by blocks.validate and every call with blocks or views. It accepts any JSON and never throws. Each
 * problem has a pointer under `at`; schema problems come first, then those of rules.
 */
export class BlockKit {
  /** Whether this is a workspace that doesn't have `NEWER_BLOCKS` yet. */
  refusesNewerBlocks = false;

  readonly #ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    formats: FORMATS,
    keywords: [...KEYWORDS],
    // A test checks the schema against its meta-schema. Here that, its messages and faster code would only cost time.
    meta: false,
    validateSchema: false,
    messages: false,
    inlineRefs: false,
    code: { optimize: false },
  }).addSchema(BLOCK_KIT);

  /** Validates a list of blocks for a message. */
  blocks(blocks: unknown, at: string): readonly Problem[] {
    return [
      ...this.#failures('message_blocks', blocks, at),
      ...this.#breaches({ surface: 'message', at, blocks: blocksIn(blocks, at) }),
    ];
  }

  /** Validates a message with the blocks inside its attachments, which count together in some of Slack's limits. */
  message({ blocks = [], attachments = [] }: MessageParts, at: string): readonly Problem[] {
    const inside = placedIn(attachments, `${at}/attachments`).flatMap(blocksInAttachment);
    return [
      ...this.#failures('message_blocks', blocks, `${at}/blocks`),
      ...this.#failures('attachments', attachments, `${at}/attachments`),
      ...this.#breaches({
        surface: 'message',
        at: `${at}/blocks`,
        blocks: [...blocksIn(blocks, `${at}/blocks`), ...inside],
      }),
    ];
  }

  /** Validates a view of one type, or of the type that it has. */
  view(view: unknown, type: 'modal' | 'home' | 'any', at: string): readonly Problem[] {
    const surface = isJson(view) && view.type === 'home' ? 'home' : 'modal';
    const blocks = isJson(view) ? blocksIn(view.blocks, `${at}/blocks`) : [];
    return [
      ...this.#failures(`${type}_view`, view, at),
      ...submitWithInputs(view, at),
      ...this.#breaches({ surface, at: `${at}/blocks`, blocks }),
    ];
  }

  /** Validates a bot's answer when a person types in an external select: up to 100 options or groups. */
  suggestions(answer: unknown): readonly Problem[] {
    return this.#failures('suggestions', answer, '');
  }

  #breaches(payload: Payload): readonly Problem[] {
    const newer = this.refusesNewerBlocks ? ofType(payload.blocks, ...NEWER_BLOCKS) : [];
    const unsupported = newer.map(({ object, at }) =>
      problem(`${at}/type`, 'unsupported_type', `${object.type} is ${NOT_HERE}`, { expected: [], got: object.type }),
    );
    return [...unsupported, ...breaches(payload)];
  }

  /** Ajv compiles a part of the schema at the first request for it. */
  #failures(name: string, value: unknown, at: string): readonly Problem[] {
    const check = this.#ajv.getSchema(`block-kit#/$defs/${name}`);
    if (check === undefined) throw new Error(`the schema of Block Kit has no ${name}`);
    check(value);
    return (check.errors ?? []).map((error) => problemOf(error, value, at));
  }
}

function blocksInAttachment({ object, at }: Placed): readonly Placed[] {
  return blocksIn(object.blocks, `${at}/blocks`);
}
