import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { holdSignals } from './early-signals.ts';

class Host extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

let host: Host;
let handOver: () => void;
beforeEach(() => {
  host = new Host();
  handOver = holdSignals(host);
});

describe('signals before there is something to stop', () => {
  test.each(['SIGTERM', 'SIGINT'])('end the process with 0: %s', (signal) => {
    host.emit(signal, signal);
    expect(host.exits).toEqual([0]);
  });

  test('are left to those who handle them afterwards', () => {
    handOver();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) host.emit(signal, signal);
    expect(host.exits).toEqual([]);
  });

  test('hand a SIGHUP on, so that a key that was replaced during the start is read', () => {
    const heard: string[] = [];
    host.emit('SIGHUP', 'SIGHUP');
    host.on('SIGHUP', (signal) => heard.push(signal));
    handOver();
    expect(heard).toEqual(['SIGHUP']);
  });
});
