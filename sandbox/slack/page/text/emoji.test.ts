import { expect, test } from 'vitest';
import { emojiFor } from './text.tsx';

test("emoji are shown by Slack's names, and an unknown name stays as it is", () => {
  expect(['red_circle', 'large_orange_circle', 'no_such_emoji'].map(emojiFor)).toEqual(['🔴', '🟠', ':no_such_emoji:']);
});
