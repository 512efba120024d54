import type { Switch } from './world.ts';

/** Switches that are known to break a promise, and wait for what makes it hold: they're played when they're named. */
export const WAITING: readonly Switch[] = [
  'no-jobs-in-list',
  'endless-list',
  'odd-when-failed',
  'refused-moment',
  'edits-refused',
  'edit-blocks-refused',
];
