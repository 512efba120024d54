import type { Logger } from '../../src/domain/logger.ts';

export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
