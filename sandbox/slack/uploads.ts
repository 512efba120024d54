import { randomUUID } from 'node:crypto';
import { Refusal } from './arguments.ts';
import { shortId } from './block-kit/controls.ts';

export interface File {
  id: string;
  name: string;
  title: string;
  /** In bytes. */
  size: number;
}

interface Upload {
  ticket: string;
  name: string;
  length: number;
  /** Null until the bot has sent it. */
  content: Buffer | null;
}

/** Files in Slack's three steps: the bot announces one, sends its content to the ticket's address, and completes it, which shares it. */
export class Uploads {
  readonly #uploads = new Map<string, Upload>();
  readonly #completed = new Map<string, Buffer>();

  announce(name: string, length: number): { id: string; ticket: string } {
    const id = `F${shortId()}`;
    const ticket = randomUUID();
    this.#uploads.set(id, { ticket, name, length, content: null });
    return { id, ticket };
  }

  receive(ticket: string, content: Buffer): void {
    const [id, upload] = [...this.#uploads].find(([, each]) => each.ticket === ticket) ?? [];
    if (id === undefined || upload === undefined) throw new Refusal('invalid_ticket');
    if (content.length !== upload.length) throw new Refusal('invalid_length');
    this.#uploads.set(id, { ...upload, content });
  }

  complete(wanted: readonly { readonly id: string; readonly title: string | undefined }[]): readonly File[] {
    const files = wanted.map(({ id, title }) => {
      const { name = '', content = null } = this.#uploads.get(id) ?? {};
      if (content === null || this.#completed.has(id)) throw new Refusal('file_not_found');
      return { file: { id, name, title: title ?? name, size: content.length }, content };
    });
    for (const { file, content } of files) this.#completed.set(file.id, content);
    return files.map(({ file }) => file);
  }

  contentOf(fileId: string): Buffer | undefined {
    return this.#completed.get(fileId);
  }
}
