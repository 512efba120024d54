import { describe, expect, test } from 'vitest';
import { safeLink } from './text.tsx';

describe('a link from a message', () => {
  test.each(['http://a.test/', 'https://a.test/b?c=d', 'mailto:a@b.test'])('can be %s', (url) => {
    expect(safeLink(url)).toBe(url);
  });

  test.each(['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '/relative', 'file:///etc/passwd', ''])(
    'can’t be %s',
    (url) => {
      expect(safeLink(url)).toBeNull();
    },
  );
});
