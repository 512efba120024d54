import type { Button } from '@slack/types';
import { z } from 'zod';
import { commandText } from '../../lib/input/filters.ts';
import { button } from './blocks.ts';
import { CountText, type LookupRequest, valueParser, writeValue } from './button-values.ts';
import { personal } from './published.ts';

export const OPEN_FIND = 'lookup.open-find';
export const SEND_AGAIN = 'event.send-again';

/** An action ID can continue after a colon, since IDs in a block must differ. */
export const RUN = 'notif.run';
export const SHARE_COMMAND = 'share.command';

/** Where a list that was shown goes on. */
export interface ListPage {
  /** How many entries were shown before. */
  offset: number;
  /** What the list's command finds the next entry by. */
  cursor: string;
}

/** A command that a button runs, without `/notif`. */
export interface Run {
  text: string;
  page: ListPage | undefined;
}

export function lookUpButton(request: LookupRequest, label = 'Look up'): Button {
  return runButton(label, lookUpText(request));
}

export function lookUpText({ environment, target: { kind, id } }: LookupRequest): string {
  const env = [environment];
  return kind === 'event' ? commandText(['event', id], { env }) : commandText(['event'], { tx: [id], env });
}

export function runButton(label: string, text: string, page?: ListPage, id: string = RUN): Button {
  return button(label, `${id}:${label}`, writeValue([text, ...(page ? [`${page.offset}`, page.cursor] : [])]));
}

export function shareButton(text: string, page?: ListPage): Button {
  return personal(runButton('Share', text, page, SHARE_COMMAND));
}

export const parseRun: (value: string) => Run | null = valueParser(
  z.tuple([z.string(), CountText.optional(), z.string().optional()]).transform(([text, offset, cursor]) => {
    return { text, page: offset === undefined || cursor === undefined ? undefined : { offset, cursor } };
  }),
);

/** Of a list whose cursors are numbers: the ID of the entry before the page, or an offset. */
export const cursorNumber = (page: ListPage | undefined): number | null => Number(page?.cursor) || null;
