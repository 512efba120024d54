import { InputError } from '../errors.ts';
import type { CredentialProvider } from './credential-providers.ts';
import type { ChannelCredentials, CredentialField } from './credentials.ts';

/** The typed values, or what is wrong with them, by field. No error quotes a value. */
export type CredentialsRead =
  | { readonly is: 'complete'; readonly credentials: ChannelCredentials }
  | { readonly is: 'wrong'; readonly errors: ReadonlyMap<CredentialField, InputError> };

/**
 * Parses a provider's fields from a form. Empty fields are not sent; at least one must be filled in. `isEmptied`: remove all device tokens,
 * which an empty field alone never does.
 */
export function parseCredentials(
  { fields }: CredentialProvider,
  typedIn: (field: CredentialField) => string,
  isEmptied = false,
): CredentialsRead {
  if (isEmptied && fields.includes('deviceTokens')) return readEmptied(typedIn('deviceTokens'));
  const errors = new Map<CredentialField, InputError>();
  const credentials: ChannelCredentials = Object.fromEntries(
    fields.flatMap((field) => {
      const value = attempt(field, typedIn(field).trim(), errors);
      return value === null ? [] : [[field, value]];
    }),
  );
  const [first] = fields;
  if (errors.size === 0 && first !== undefined && Object.keys(credentials).length === 0) {
    errors.set(first, new InputError(first, 'Fill in what is to be sent: nothing is filled in yet.'));
  }
  return errors.size === 0 ? { is: 'complete', credentials } : { is: 'wrong', errors };
}

function readEmptied(typed: string): CredentialsRead {
  if (typed.trim() === '') return { is: 'complete', credentials: { deviceTokens: [] } };
  const error = new InputError(
    'deviceTokens',
    'Leave this empty to remove all device tokens, or untick the box below.',
  );
  return { is: 'wrong', errors: new Map([['deviceTokens', error]]) };
}

function attempt(field: CredentialField, text: string, errors: Map<CredentialField, InputError>) {
  if (text === '') return null;
  try {
    return READERS[field](text, field);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    errors.set(field, error);
    return null;
  }
}

type Reader = (text: string, field: CredentialField) => string | readonly string[];

const READERS: Readonly<Record<CredentialField, Reader>> = {
  webhookUrl: readAddress,
  channel: readLine,
  deviceTokens: readTokens,
  alertUid: readLine,
  title: readLine,
  imageUrl: readAddress,
  state: readLine,
  externalUrl: readAddress,
};

function readLine(text: string): string {
  return text;
}

function readAddress(text: string, field: CredentialField): string {
  if (URL.canParse(text) && /^https?:/.test(new URL(text).protocol)) return text;
  throw new InputError(field, 'This is no web address.', 'https://hooks.example.com/…');
}

/** One per line; duplicates count once. */
function readTokens(text: string, field: CredentialField): readonly string[] {
  const tokens = text.split(/\s*\n\s*/);
  const broken = tokens.findIndex((token) => /\s/.test(token));
  if (broken >= 0) throw new InputError(field, `Token ${broken + 1} has a blank in it: put one token on each line.`);
  return [...new Set(tokens)];
}
