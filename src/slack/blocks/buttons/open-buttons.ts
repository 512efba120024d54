import type { Button } from '@slack/types';
import { button } from '../blocks.ts';
import { writeValue } from '../button-value.ts';

/** For places where neither shortcuts nor commands are available. */
export const OPEN_FIND = 'lookup.open-find';
export const OPEN_TRIGGER = 'trigger.open';
export const OPEN_HELP = 'help.open';

export const findButton = (): Button => button('Find a notification', OPEN_FIND, writeValue([]));
export const triggerButton = (): Button => button('Send a test', OPEN_TRIGGER, writeValue([]));
export const helpButton = (): Button => button('Help', OPEN_HELP, writeValue([]));
