import { InputError } from '../../lib/errors.ts';

/** The IDs that a click or a submission sends back: Slack's limit, 255 characters, has room for the mark. */
const MARKED = new Set(['action_id', 'callback_id']);

/** Marks each control and form as this store's: `watch.edit:@1f2e3d4c`. */
export function markedJson(drawn: unknown, storeCode: string): string {
  return JSON.stringify(drawn, (name, value: unknown) => {
    return MARKED.has(name) && typeof value === 'string' && value !== '' ? `${value}:@${storeCode}` : value;
  });
}

export const marked = <Drawn extends object>(drawn: Drawn, storeCode: string): Drawn =>
  JSON.parse(markedJson(drawn, storeCode));

/** What older versions drew has no mark, and is taken. */
export function isOfAnotherStore(id: string, storeCode: string): boolean {
  const [, code = storeCode] = /:@([0-9a-f]{8})$/.exec(id) ?? [];
  return code !== storeCode;
}

export class OtherStoreError extends InputError {
  constructor() {
    const what =
      'This is from another Notif that uses the same Slack app, or from a database that this one had before. Nothing was done.';
    super('button', what, null, 'Press it again, since Slack picks one of them. If it stays so, run /notif doctor.');
  }
}
