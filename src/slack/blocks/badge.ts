import type { Environment } from '../../domain/environment.ts';
import { bold, type Markup } from './text.ts';

/** Returns the environment's name as every answer begins with it. */
export function badge(environment: Pick<Environment, 'label'>): Markup {
  return bold(environment.label);
}
