import type { Environment } from '../../domain/environment.ts';
import { bold, type Markup } from './text.ts';

export function badge(environment: Pick<Environment, 'label'>): Markup {
  return bold(environment.label);
}
