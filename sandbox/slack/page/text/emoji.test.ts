import { expect, it } from 'vitest';
import { emojiFor } from './emoji.ts';

it('shows emoji by the names that Slack uses, and an unknown name as it is', () => {
  expect(['red_circle', 'large_orange_circle', 'no_such_emoji'].map(emojiFor)).toEqual(['🔴', '🟠', ':no_such_emoji:']);
});
