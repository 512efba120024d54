import { z } from 'zod';
import { isJson } from '../../sandbox/slack/json.ts';
import { BlockKit } from '../../sandbox/slack/validate/block-kit.ts';
import type { Shape } from '../../sandbox/slack/validate/shapes.ts';
import type { DrawnBy } from './drawn-by.ts';

export interface Finding {
  pointer: string;
  message: string;
  file: string;
  /** The rule of the local validator to correct, or null if Slack and the local validator agree. */
  rule: string | null;
}

interface Check {
  apiUrl: string;
  drawnBy: DrawnBy;
  /** Waits between two calls, and as long as Slack's rate limit says. */
  sleep: (ms: number) => Promise<void>;
}

const BETWEEN_MS = 1_000;
const Answer = z.object({
  ok: z.boolean(),
  error: z.string().default(''),
  errors: z.array(z.object({ pointer: z.string().default(''), message: z.string().default('') })).default([]),
});

/** Lists what Slack's validator refuses, and where the local one judges otherwise. Rejects if an answer isn't clear. */
export async function checkShapes(shapes: readonly Shape[], { apiUrl, drawnBy, sleep }: Check): Promise<Finding[]> {
  const local = new BlockKit();
  const findings: Finding[] = [];
  for (const { in: where, payload } of shapes) {
    const name = where === 'blocks' ? 'blocks' : 'view';
    const sent = where === 'suggestions' ? selectOf(payload) : payload;
    const remote = await ask(`${apiUrl.replace(/\/$/, '')}/blocks.validate`, { [name]: sent }, sleep);
    const ours = name === 'blocks' ? local.blocks(sent, '') : local.view(sent, 'any', '');
    const isDisputed = remote.length > 0 !== ours.length > 0;
    const findingOf = ({ pointer, message }: { pointer: string; message: string }, judge: string): Finding => {
      const [part, rule] = placeOf(sent, pointer);
      return { pointer, message: `${judge}: ${message}`, file: drawnBy(payload, part), rule: isDisputed ? rule : null };
    };
    findings.push(...remote.map((each) => findingOf(each, 'Slack')));
    if (remote.length === 0) findings.push(...ours.map((each) => findingOf(each, 'only the local validator')));
    await sleep(BETWEEN_MS);
  }
  return findings;
}

async function ask(url: string, args: object, sleep: Check['sleep']) {
  for (;;) {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(args) });
    const text = await response.text();
    if (response.status === 429) {
      await sleep(1_000 * Number(response.headers.get('retry-after') ?? 30));
      continue;
    }
    const { ok, error, errors } = Answer.parse(
      response.ok ? JSON.parse(text) : { ok: false, error: `HTTP ${response.status}` },
    );
    if (!ok && !/^invalid_(blocks|view)$/.test(error)) throw new Error(`${url} answered ${error}, which says nothing`);
    return ok || errors.length > 0 ? errors : [{ pointer: '', message: error }];
  }
}

/** A list of options can only be validated in an element. */
function selectOf(answer: unknown): object {
  const select = { type: 'static_select', action_id: 'options', ...Object(answer) };
  const title = { type: 'plain_text', text: 'Options' };
  return { type: 'modal', title, blocks: [{ type: 'actions', elements: [select] }] };
}

/** Returns the block that a pointer is in, and the rule that it is about: 'section.text'. */
function placeOf(payload: unknown, pointer: string): readonly [part: unknown, rule: string] {
  let [value, part] = [payload, payload];
  let rule = isJson(payload) ? String(payload.type) : 'message';
  for (const key of pointer.split('/').slice(1)) {
    value = Object(value)[key];
    if (isJson(value) && typeof value.type === 'string') {
      if (part === payload) part = value;
      rule = value.type;
    } else if (!/^\d+$/.test(key) && key !== 'type') rule += `.${key}`;
  }
  return [part, rule];
}
