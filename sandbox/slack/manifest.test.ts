import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseManifest } from './manifest.ts';

const display_information = { name: 'App' };
const parse = (parts: object) => parseManifest(stringify({ display_information, ...parts }), 'a manifest');

test('a manifest is refused with its source and every problem', () => {
  const wrong = { display_information: { name: '' }, features: { slash_commands: [{ command: 'app' }] }, color: 1 };
  for (const part of ['a manifest', 'display_information.name', 'slash_commands[0].command', 'description', '"color"'])
    expect(() => parse(wrong)).toThrow(part);
});
