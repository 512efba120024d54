import { expect, test } from 'vitest';
import { troubleOf } from './workspace.ts';

const refused = (error: string, message: string) => troubleOf({ ok: false, error, message });

test("troubleOf keeps Slack's sentence, has its code once, and explains it", () => {
  expect(refused('operation_timeout', '/notif failed with the error "operation_timeout"')).toBe(
    '/notif failed with the error "operation_timeout" (the app did not acknowledge within 3 seconds)',
  );
  expect(refused('dispatch_failed', 'Try again.')).toBe(
    'Try again. (dispatch_failed: the app has no connection to the workspace)',
  );
  expect(refused('view_not_found', 'This window is closed already.')).toBe(
    'This window is closed already. (view_not_found)',
  );
  expect(refused('not_supported_in_threads', '/notif is not supported in threads. Sorry!')).toBe(
    '/notif is not supported in threads. Sorry!',
  );
});

test("troubleOf leaves a form's errors to the form", () => {
  expect(refused('form_errors', 'No such subscriber.')).toBeNull();
  expect(troubleOf({ ok: true })).toBeNull();
});
