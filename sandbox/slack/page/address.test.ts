import { expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

it('keeps who looks and where in the address', () => {
  const channel = { as: 'U0BEN', conversation: 'C0ONCALL', tab: 'messages' as const };
  const home = { as: 'U0BEN', conversation: 'D0BEN', tab: 'home' as const };
  for (const address of [channel, home]) expect(readAddress(writeAddress(address))).toEqual(address);
});

it('begins as the operator, nowhere in particular', () => {
  expect(readAddress('')).toEqual({ as: 'U0ANN', conversation: null, tab: 'messages' });
});
