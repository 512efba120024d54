/** A text or number in a provider's answer, with its field's name as `fieldName` writes it. */
export interface Said {
  readonly name: string;
  readonly value: string;
}

type Field = readonly [name: string, value: unknown];

const MAX_DEPTH = 6;
const MAX_FIELDS = 300;

/** Fields of what was sent. Their values are somebody's: a recipient's text, a key. `data` and `body` of a `response` are the answer. */
const REQUEST =
  /^(?:config|request|headers|data|body|text|payload|params|variables|options|command|html|content|notification|devicetokens)$/;
const ANSWERED = /^(?:data|body)$/;
/** A part of a sentence that quotes a field of the request: `Request failed, config: {…`. */
const REQUEST_PART =
  /(?<![\p{L}\p{N}_])["'`]?(?:config|request|headers|data|body|text|payload)["'`]?\s?(?:[:=]|=>)\s?["'`{[].*$/isu;

/** 'err-code', 'Error Code', 'errorCode' -> 'errcode', 'errorcode' */
export function fieldName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

export function isJson(text: string): boolean {
  return /^"?\s{0,4}[{[]\s{0,20}(?:\\?["{[\]}\d]|null|true|false|$)/.test(text);
}

export function withoutRequest(sentence: string): string {
  const { index } = REQUEST_PART.exec(sentence) ?? {};
  return index === undefined ? sentence : sentence.slice(0, index).replace(/[\s,;:({[-]+$/, '');
}

/** Returns the texts and numbers of an answer in JSON, also a truncated one, the outermost first, without those of the request. */
export function saidIn(json: string): Said[] {
  const said: Said[] = [];
  let level: readonly Field[] = [['message', parsed(json)]];
  for (let depth = 0; depth < MAX_DEPTH && said.length < MAX_FIELDS; depth++) {
    const values = level.slice(0, MAX_FIELDS).map(([name, value]): Field => [name, insideText(value)]);
    for (const [name, value] of values) {
      if (typeof value === 'string' || typeof value === 'number') said.push({ name, value: `${value}`.trim() });
    }
    level = values.flatMap(fieldsOf);
  }
  return said;
}

function fieldsOf([parent, value]: Field): Field[] {
  if (Array.isArray(value)) return value.map((item: unknown) => [parent, item]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([key, item]) => !isOfRequest(key, item, parent))
    .map(([key, item]: [string, unknown]) => [fieldName(key), item]);
}

function isOfRequest(key: string, value: unknown, parent: string): boolean {
  const name = fieldName(key);
  if (key.startsWith('_')) return true;
  if (parent === 'response' && ANSWERED.test(name)) return typeof insideText(value) !== 'object';
  return REQUEST.test(name);
}

function insideText(value: unknown): unknown {
  return typeof value === 'string' && isJson(value.trim()) ? (parsed(value.trim()) ?? value) : value;
}

function parsed(json: string): unknown {
  const text = json.replace(/\p{Cc}/gu, ' ');
  for (const candidate of [() => text, () => closed(text), () => closed(text.slice(0, lastComma(text)))]) {
    try {
      return JSON.parse(candidate()) as unknown;
    } catch {
      // The next candidate drops more of a truncated answer's end.
    }
  }
  return null;
}

/** Closes what a truncated JSON text leaves open: a text, lists and objects. */
function closed(cut: string): string {
  const { isText, open } = endOf(cut);
  const end = isText ? cut.replace(/\\(?:u[\da-f]{0,3})?$/i, '').concat('"') : cut.replace(/[\s,…]+$/, '');
  return `${end}${open.toReversed().join('')}`;
}

function lastComma(json: string): number {
  return endOf(json).comma;
}

interface End {
  readonly isText: boolean;
  readonly open: readonly string[];
  readonly comma: number;
}

function endOf(json: string): End {
  const open: string[] = [];
  let isText = false;
  let comma = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isText && character === '\\') at++;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') comma = at;
  }
  return { isText, open, comma };
}
