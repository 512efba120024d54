import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJson } from '../json.ts';
import type { Problem } from './problem.ts';
import { blocksIn, type Placed, placedIn } from './rules/placed.ts';
import { breaches } from './rules/rules.ts';
import { submitWithInputs } from './rules/views.ts';
import { BLOCK_KIT } from './schema/block-kit-schema.ts';
import { FORMATS } from './schema/formats.ts';
import { KEYWORDS } from './schema/keywords.ts';
import { problemOf } from './wording.ts';

/** What a message is made of, as it came. */
export interface MessageParts {
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}

/**
 * The one judge of Block Kit, behind blocks.validate and every call that brings blocks or views. Takes any JSON and never throws;
 * each problem has a pointer under `at`, in the order of schema first, then of rules.
 */
export class BlockKit {
  readonly #ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    formats: FORMATS,
    keywords: [...KEYWORDS],
    // A test holds the schema against its meta-schema; here that, its messages and faster code would only cost time.
    meta: false,
    validateSchema: false,
    messages: false,
    inlineRefs: false,
    code: { optimize: false },
  }).addSchema(BLOCK_KIT);

  /** A list of blocks as a message shows it. */
  blocks(blocks: unknown, at: string): readonly Problem[] {
    return [
      ...this.#failures('message_blocks', blocks, at),
      ...breaches({ surface: 'message', at, blocks: blocksIn(blocks, at) }),
    ];
  }

  /** A message with the blocks inside its attachments, which count together where Slack limits a message. */
  message({ blocks = [], attachments = [] }: MessageParts, at: string): readonly Problem[] {
    const inside = placedIn(attachments, `${at}/attachments`).flatMap(blocksInAttachment);
    return [
      ...this.#failures('message_blocks', blocks, `${at}/blocks`),
      ...this.#failures('attachments', attachments, `${at}/attachments`),
      ...breaches({ surface: 'message', at: `${at}/blocks`, blocks: [...blocksIn(blocks, `${at}/blocks`), ...inside] }),
    ];
  }

  /** A view, of one type or of whichever it says. */
  view(view: unknown, type: 'modal' | 'home' | 'any', at: string): readonly Problem[] {
    const surface = isJson(view) && view.type === 'home' ? 'home' : 'modal';
    const blocks = isJson(view) ? blocksIn(view.blocks, `${at}/blocks`) : [];
    return [
      ...this.#failures(`${type}_view`, view, at),
      ...submitWithInputs(view, at),
      ...breaches({ surface, at: `${at}/blocks`, blocks }),
    ];
  }

  /** What a bot answers when a person types in an external select: up to 100 options or groups. */
  suggestions(answer: unknown): readonly Problem[] {
    return this.#failures('suggestions', answer, '');
  }

  /** Ajv compiles a part of the schema when it is first asked for. */
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
