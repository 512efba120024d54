import { randomUUID } from 'node:crypto';
import { Refusal } from '../refusal.ts';

/** What a message shows of a file. */
export interface File {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
  /** What a picture shows, in words; null where nobody said. */
  readonly altText: string | null;
}

interface Upload {
  /** In the address that the bytes are posted to. */
  readonly ticket: string;
  readonly name: string;
  /** The number of bytes that were announced. */
  readonly length: number;
  readonly altText: string | null;
  /** Null until they have come. */
  readonly content: Buffer | null;
}

/** Slack knows more types; these are what bots attach. */
const MIMETYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  png: 'image/png',
  txt: 'text/plain',
};

/** Files on their way in, which are announced, uploaded and completed, and those that have arrived; by their ids. */
export class Files {
  readonly #uploads = new Map<string, Upload>();
  readonly #arrived = new Map<string, { readonly file: File; readonly content: Buffer }>();

  /** Expects a file of `length` bytes. */
  announce(
    name: string,
    length: number,
    altText: string | null = null,
  ): { readonly id: string; readonly ticket: string } {
    const id = `F${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`;
    const ticket = randomUUID();
    this.#uploads.set(id, { ticket, name, length, altText, content: null });
    return { id, ticket };
  }

  /** Takes the bytes in; refuses them under an unknown ticket, and when they are more or fewer than announced. */
  receive(ticket: string, content: Buffer): void {
    const [id, upload] = [...this.#uploads].find(([, each]) => each.ticket === ticket) ?? [];
    if (id === undefined || upload === undefined) throw new Refusal('invalid_ticket');
    if (content.length !== upload.length) throw new Refusal('invalid_length');
    this.#uploads.set(id, { ...upload, content });
  }

  /** True between the upload and its completion. */
  isUploaded(id: string): boolean {
    return (this.#uploads.get(id)?.content ?? null) !== null;
  }

  /** Makes a file of an upload, once; refuses any other id with Slack's `file_not_found`. */
  complete(id: string, title: string | undefined): File {
    const { name = '', content = null, altText = null } = this.#uploads.get(id) ?? {};
    if (content === null) throw new Refusal('file_not_found');
    const file = { id, name, title: title ?? name, size: content.length, mimetype: mimetypeOf(name), altText };
    this.#uploads.delete(id);
    this.#arrived.set(id, { file, content });
    return file;
  }

  find(id: string): File | undefined {
    return this.#arrived.get(id)?.file;
  }

  contentOf(id: string): Buffer | undefined {
    return this.#arrived.get(id)?.content;
  }
}

function mimetypeOf(name: string): string {
  return MIMETYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}
