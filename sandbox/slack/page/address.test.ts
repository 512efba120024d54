import { expect, test } from 'vitest';
import { readAddress, writeAddress } from './app.tsx';

test('the URL has the person and the conversation', () => {
  const channel = { as: 'U0BEN', conversation: 'C0ONCALL', tab: 'messages' as const };
  const home = { as: 'U0BEN', conversation: 'D0BEN', tab: 'home' as const };
  for (const address of [channel, home]) expect(readAddress(writeAddress(address))).toEqual(address);
});

test('the URL starts with the operator and no conversation', () => {
  expect(readAddress('')).toEqual({ as: 'U0ANN', conversation: null, tab: 'messages' });
});
