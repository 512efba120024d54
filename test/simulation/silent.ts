import type { Logger } from '../../src/lib/logger.ts';

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
