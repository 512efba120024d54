import { basicBlocks } from './basic-blocks.ts';
import { charts } from './charts.ts';
import { elements } from './elements.ts';
import { newerBlocks } from './newer-blocks.ts';
import { objects } from './objects.ts';
import { payloads } from './payloads.ts';
import { richText } from './rich-text.ts';
import type { Schema } from './shape.ts';
import { tables } from './tables.ts';
import { texts } from './text.ts';

/** Everything in Block Kit that a JSON Schema can express; RULES has the rest. */
export const BLOCK_KIT: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'block-kit',
  $defs: {
    ...texts,
    ...objects,
    ...richText,
    ...elements,
    ...basicBlocks,
    ...tables,
    ...charts,
    ...newerBlocks,
    ...payloads,
  },
};
