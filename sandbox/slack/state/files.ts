import { randomUUID } from 'node:crypto';
import { Refusal } from '../arguments.ts';

export interface File {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
}

interface Upload {
  /** Part of the URL to which the bytes are uploaded. */
  readonly ticket: string;
  readonly name: string;
  /** The announced number of bytes. */
  readonly length: number;
  /** Null until the upload. */
  readonly content: Buffer | null;
}

/** Slack has more types; these are what bots attach. */
const MIMETYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
};

export class Files {
  readonly #uploads = new Map<string, Upload>();
  readonly #arrived = new Map<string, { readonly file: File; readonly content: Buffer }>();

  /** Announces a file of `length` bytes. */
  announce(name: string, length: number): { readonly id: string; readonly ticket: string } {
    const id = `F${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`;
    const ticket = randomUUID();
    this.#uploads.set(id, { ticket, name, length, content: null });
    return { id, ticket };
  }

  /** Stores the bytes. Refuses them for an unknown ticket and if their number differs from the announced one. */
  receive(ticket: string, content: Buffer): void {
    const [id, upload] = [...this.#uploads].find(([, each]) => each.ticket === ticket) ?? [];
    if (id === undefined || upload === undefined) throw new Refusal('invalid_ticket');
    if (content.length !== upload.length) throw new Refusal('invalid_length');
    this.#uploads.set(id, { ...upload, content });
  }

  isUploaded(id: string): boolean {
    return (this.#uploads.get(id)?.content ?? null) !== null;
  }

  /** Completes an upload once. Refuses any other ID with Slack's `file_not_found`. */
  complete(id: string, title: string | undefined): File {
    const { name = '', content = null } = this.#uploads.get(id) ?? {};
    if (content === null) throw new Refusal('file_not_found');
    const file = { id, name, title: title ?? name, size: content.length, mimetype: mimetypeOf(name) };
    this.#uploads.delete(id);
    this.#arrived.set(id, { file, content });
    return file;
  }

  contentOf(id: string): Buffer | undefined {
    return this.#arrived.get(id)?.content;
  }
}

function mimetypeOf(name: string): string {
  return MIMETYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}
