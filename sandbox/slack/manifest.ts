import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { manifestSchema } from './manifest-schema.ts';

/** An app manifest with all defaults. */
export type Manifest = z.infer<typeof manifestSchema>;
export type SlashCommand = Manifest['features']['slash_commands'][number];

/** Thrown for a manifest that Slack wouldn't accept. The message lists every problem with its place. */
export class ManifestError extends Error {
  constructor(source: string, cause: z.ZodError) {
    super(`${source} is not an app manifest that Slack would take:\n${z.prettifyError(cause)}`, { cause });
    this.name = 'ManifestError';
  }
}

/**
 * Reads and checks an app manifest in YAML. A ManifestError names the file and everything that is wrong; a missing file is Node's error.
 */
export async function readManifest(file: string): Promise<Manifest> {
  return parseManifest(await readFile(file, 'utf8'), file);
}

/** Checks a manifest's YAML. `source` is its name in a ManifestError. */
export function parseManifest(yaml: string, source: string): Manifest {
  const parsed = manifestSchema.safeParse(parse(yaml));
  if (!parsed.success) throw new ManifestError(source, parsed.error);
  return parsed.data;
}
