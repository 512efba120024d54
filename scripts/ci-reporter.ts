import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Writes for `.ci/run` "<passed> <failed>", and a line for each failure and each test that passed only when it was tried again. */
export class CiReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = [
      ...tests.filter((test) => test.result().state === 'failed').map(failureOf),
      ...modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module)).map(unloaded),
      ...errors.map(({ message }) => `outside the tests: ${firstLine(message)}`),
    ];
    const flaky = tests.filter((test) => test.diagnostic()?.flaky).map(failureOf);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const lines = [...failed.map((line) => `failed: ${line}`), ...flaky.map((line) => `tried again: ${line}`)];
    writeFileSync(this.#file, [`${passed} ${failed.length}`, ...lines, ''].join('\n'));
  }
}

function hasFailedTest(module: TestModule): boolean {
  return module.children.allTests('failed').next().done !== true;
}

function unloaded(module: TestModule): string {
  return `${module.relativeModuleId}: ${firstLine(module.errors()[0]?.message ?? 'failed outside its tests')}`;
}

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}

function failureOf(test: TestCase): string {
  return `${nameOf(test)}: ${firstLine(test.result().errors?.[0]?.message ?? '')}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
