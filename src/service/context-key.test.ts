import { expect, test } from 'vitest';
import { typedContextKey } from './query.ts';

test.for([
  ['tenant:acme', true],
  ['t:1', true],
  ['tenant', false],
  ['tenant: acme', false],
  ['my tenant:acme', false],
] as const)("a context's key is its type and ID: %s %s", ([text, is]) => {
  const typed = () => typedContextKey(text);
  if (is) expect(typed()).toBe(text);
  else expect(typed).toThrow(expect.objectContaining({ field: 'context', example: 'context:tenant:acme' }));
});
