import type { Button } from '@slack/types';
import { z } from 'zod';
import { commandText } from '../../lib/input/filters.ts';
import type { NotificationId } from '../../lib/input/ids.ts';
import { type IncidentRef, parseIncidentRef } from '../../lib/input/typed-values.ts';
import { button } from './blocks.ts';
import { personal } from './published.ts';

const VERSION = 'v1';

/** `v1|production|event|65f…` */
export function writeValue(fields: readonly string[]): string {
  const encoded = fields.map((field) => field.replaceAll('%', '%25').replaceAll('|', '%7C'));
  return [VERSION, ...encoded].join('|');
}

export function parseValue(value: string): string[] | null {
  const [version, ...fields] = value.split('|');
  if (version !== VERSION) return null;
  return fields.map((field) => field.replaceAll('%7C', '|').replaceAll('%25', '%'));
}

export function valueParser<T>(fields: z.ZodType<T>): (value: string) => T | null {
  return (value: string) => fields.safeParse(parseValue(value)).data ?? null;
}

export const parseSingle = valueParser(z.tuple([z.string()]).transform(([only]) => only));
const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`));

export const CountText = digits(9).transform(Number);
export const IdText = digits(15).transform(Number);
export const IncidentText = z.string().transform((text, { addIssue }): IncidentRef => {
  const ref = parseIncidentRef(text);
  if (ref === null) addIssue('names no incident');
  return ref ?? { incidentId: 0, code: null };
});

export const OPEN_FIND = 'lookup.open-find';
export const SEND_AGAIN = 'event.send-again';

/** An action ID can continue after a colon, since IDs in a block must differ. */
export const RUN = 'notif.run';
export const SHARE_COMMAND = 'share.command';

export interface LookupRequest {
  environment: string;
  target: NotificationId;
}

export function lookUpButton(request: LookupRequest, label = 'Look up'): Button {
  return runButton(label, lookUpText(request));
}

export function lookUpText({ environment, target: { kind, id } }: LookupRequest): string {
  const env = [environment];
  return kind === 'event' ? commandText(['event', id], { env }) : commandText(['event'], { tx: [id], env });
}

export function writeLookup({ environment, target }: LookupRequest): string {
  return writeValue([environment, target.kind, target.id]);
}

export const parseLookup = valueParser(
  z
    .tuple([z.string(), z.enum(['event', 'transaction']), z.string()])
    .transform(([environment, kind, id]) => ({ environment, target: { kind, id } })),
);

export interface ListPage {
  offset: number;
  cursor: string;
}

/** Some cursors are numbers: the ID of the entry before the page, or an offset. */
export const cursorNumber = (page: ListPage | undefined): number | null => Number(page?.cursor) || null;

export function runButton(label: string, text: string, page?: ListPage, id: string = RUN): Button {
  return button(label, `${id}:${label}`, writeValue([text, ...(page ? [`${page.offset}`, page.cursor] : [])]));
}

export function shareButton(text: string, page?: ListPage): Button {
  return personal(runButton('Share', text, page, SHARE_COMMAND));
}

export interface Run {
  text: string;
  page: ListPage | undefined;
}

export const parseRun: (value: string) => Run | null = valueParser(
  z.tuple([z.string(), CountText.optional(), z.string().optional()]).transform(([text, offset, cursor]) => {
    return { text, page: offset === undefined || cursor === undefined ? undefined : { offset, cursor } };
  }),
);
