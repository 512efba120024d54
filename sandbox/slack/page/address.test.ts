import { expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

it('keeps who looks and where in the address', () => {
  const address = { as: 'U0BEN', conversation: 'C0ONCALL' };
  expect(readAddress(writeAddress(address))).toEqual(address);
});

it('begins as the operator, nowhere in particular', () => {
  expect(readAddress('')).toEqual({ as: 'U0ANN', conversation: null });
});
