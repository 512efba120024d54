import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface Seal {
  close(text: string): string;
  /** Returns null for what was sealed with another secret. */
  open(sealed: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts text that Slack stores but mustn't read. */
export function createSeal(secret: string, ...olderSecrets: readonly string[]): Seal {
  const keyOf = (text: string) => Buffer.from(hkdfSync('sha256', text, '', 'notif sealed values', 32));
  const key = keyOf(secret);
  const keys = [key, ...olderSecrets.map(keyOf)];
  return {
    close: (text: string) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString('base64url');
    },
    open: (sealed: string) => {
      const bytes = Buffer.from(sealed, 'base64url');
      return keys.map((each) => opened(bytes, each)).find((text) => text !== null) ?? null;
    },
  };
}

function opened(bytes: Buffer, key: Buffer) {
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
