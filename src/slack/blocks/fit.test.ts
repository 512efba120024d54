import { expect, test } from 'vitest';
import { createSeal } from '../../domain/access/seal.ts';
import { createLongValues } from '../interactions/replies/long-values.ts';
import { textsInMemory } from '../interactions/texts.testing.ts';
import { actions, button, message } from './blocks.ts';
import { sentLength } from './fit.ts';
import { mrkdwn } from './text.ts';

const values = createLongValues({
  texts: textsInMemory(),
  seal: createSeal('xoxb-secret'),
  now: () => new Date('2026-11-20T12:00:00Z'),
});

test.each([
  ['short', 'v1|x'],
  ['as long as its own button holds', 'x'.repeat(500)],
  ['too long for its own button', 'x'.repeat(501)],
  ['short, but long with its escapes', '"\\'.repeat(240)],
  ['too long even without its escapes', '"'.repeat(501)],
])('the length that Slack is sent is known of a value that is %s', async (_which, value) => {
  const blocks = actions([button('Go', 'go', value)]);
  const sent = await values.fitted(message(mrkdwn`One`, blocks));
  expect(sentLength(blocks)).toBe(JSON.stringify(sent.blocks).length);
});
