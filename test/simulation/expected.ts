import type { Switch } from './world.ts';

/** Switches that are exact among themselves, and haven't been played with the others: they're played when they're named. */
export const WAITING: readonly Switch[] = [
  'no-jobs-in-list',
  'endless-list',
  'odd-when-failed',
  'refused-moment',
  'edits-refused',
  'edit-blocks-refused',
];
