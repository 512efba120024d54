import { z } from 'zod';
import { MASK, maskingAfter } from '../lib/text/mask.ts';
import { isObject } from '../lib/text/payload.ts';
import { scrubInFull } from '../lib/text/scrub.ts';
import { date, fields, items, optional, text } from './schema.ts';

/** In characters. To take a larger block apart takes long, and nobody is shown as much. */
const LONGEST_BLOCK = 100_000;
/** Elements and comments with all that is in them, also where their end was cut off. */
const INVISIBLE = /<(script|style|head|svg|title)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi;
const LINE_END = /<(?:br|\/(?:p|div|tr|h[1-6]|li|table))\b[^<>]*>|\n/gi;

/** One-time codes: four to eight digits alone (`48 29 13`, `G-482913`; no date, time or amount), or after a word for a code. */
const LONE_CODE =
  /(?<=(?<![\p{L}\p{N}])\p{Lu}-)\d{6}(?!\d)|(?<![\p{L}\p{N}.,:/-])(?!\d{4}-\d\d-\d\d)\d(?:[ -]?\d){3,7}(?![\p{L}\p{N}:/-]|[.,]\d)/gu;
const NAMED_CODE =
  /((?:code|pin|otp|tan|passcode|password|kod|código|codice|код|コード|验证码)\W{0,12})(?=[\p{Lu}\p{N}-]*\d)[\p{Lu}\p{N}-]{4,12}(?![\p{L}\p{N}])/giu;

/** A message's content is for operators only, and never stored. */
export interface SentContent {
  eventId: string;
  channel: string;
  provider: string | null;
  status: string | null;
  createdAt: Date | null;
  lines: readonly string[];
}

export const ContentBody: z.ZodType<SentContent> = z
  .object({
    ...fields(z.string(), '_notificationId', 'channel'),
    ...fields(text, 'providerId', 'subject', 'title', 'status'),
    createdAt: date,
    content: z.unknown(),
    cta: optional(z.object({ action: optional(z.object({ buttons: items(z.object({ content: z.string() })) })) })),
  })
  .transform(({ _notificationId: eventId, providerId: provider, subject, title, content, cta, ...message }) => {
    const buttons = cta?.action?.buttons.map((button) => `[${button.content}]`) ?? [];
    const blocks = [
      subject && `Subject: ${subject}`,
      title && `Title: ${title}`,
      ...blocksOf(content),
      buttons.join(' '),
    ];
    const lines = blocks.flatMap((block) => (block === null ? [] : linesOf(block)));
    return { ...message, eventId, provider, lines };
  });

/** Older editors store an email as a list of blocks. */
function blocksOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => (isObject(block) ? blocksOf(block.content) : []));
}

function linesOf(block: string): string[] {
  const lines = block.slice(0, LONGEST_BLOCK).replace(INVISIBLE, ' ').split(LINE_END);
  return lines.map((line) => withoutCodes(scrubInFull(line.replace(/<[^<>]*>/g, ' ')))).filter((line) => line !== '');
}

const withoutNamedCodes = maskingAfter(NAMED_CODE);
const withoutCodes = (line: string) => withoutNamedCodes(line).replace(LONE_CODE, MASK);
