import { isJson, parseJson } from './json.ts';
import type { Json } from './page-protocol.ts';
import { invalidArguments } from './refusal.ts';

/**
 * The arguments of a call in any form: form fields, where everything is a string and objects are JSON text, or a JSON body. Reading an
 * argument with the wrong shape refuses the call as Slack does.
 */
export class Arguments {
  readonly all: Json;

  constructor(all: Json) {
    this.all = all;
  }

  has(name: string): boolean {
    return this.all[name] !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.all[name];
    return value === undefined || value === null ? undefined : String(value);
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw invalidArguments(`missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.text(name) ?? '');
  }

  number(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  /** Returns a structured argument. Text that isn't JSON stays text, for the rules to refuse. */
  structure(name: string): unknown {
    const value = this.all[name];
    return typeof value === 'string' ? (parseJson(value) ?? value) : value;
  }

  object(name: string): Json {
    const value = this.structure(name);
    if (!isJson(value)) throw invalidArguments(`must provide an object [json-pointer:/${name}]`);
    return value;
  }
}
