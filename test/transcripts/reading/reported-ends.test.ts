import { describe, expect, it } from 'vitest';
import {
  clineStatus,
  copilotStatus,
  geminiStatus,
  piStatus,
  rooStatus,
} from '../../../src/transcripts/reading/reported-ends.ts';

const wrapped = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`;

describe('exit statuses that agents write with the output of a command', () => {
  it.each<[string, string, number | undefined]>([
    ['a command that failed', wrapped('Output: no\nExit Code: 3\nProcess Group PGID: 71'), 3],
    ['a command that succeeded', wrapped('Output: yes\nProcess Group PGID: 71'), 0],
    [
      'the form of Qwen Code',
      'Command: x\nOutput: y\nError: (none)\nExit Code: 0\nSignal: 0\nProcess Group PGID: 8',
      0,
    ],
    ['output that contains a status', 'Output: Exit Code: 3\nsecond line\nProcess Group PGID: 8', 0],
    ['a command that was stopped', 'Output: y\nSignal: 9\nProcess Group PGID: 8', undefined],
    ['a command in the background', 'Command moved to background (PID: 8).', undefined],
  ])('are read for Gemini CLI and Qwen Code: %s', (_, text, status) => {
    expect(geminiStatus(text)).toBe(status);
  });

  it.each<[string, boolean, number | undefined]>([
    ['output', false, 0],
    ['Command exited with code 4', false, 0],
    ['output\n\n\nCommand exited with code 3', true, 3],
    ['Command exited with code 4\nand more', true, undefined],
  ])('are read for Pi: %j (is an error: %s)', (text, isError, status) => {
    expect(piStatus(text, isError)).toBe(status);
  });

  it.each<[string, number | undefined]>([
    ['output\n<exited with exit code 0>', 0],
    ['output\n<command with shellId: 4 completed with exit code 2>', 2],
    ['<exited with exit code 0>\noutput', undefined],
  ])('are read for Copilot CLI: %j', (text, status) => {
    expect(copilotStatus(text)).toBe(status);
  });

  it.each<[string, number | undefined]>([
    ["Command executed in terminal within working directory '/p'. Exit code: 0\nOutput:\nok", 0],
    [
      "[execute_command for 'make'] Result:\nCommand executed in terminal  within working directory '/p'. Command execution was not successful, inspect the cause and adjust as needed.\nExit code: 1\nOutput:\nno",
      1,
    ],
    ['Command executed.\nOutput:\nExit code: 1', undefined],
  ])('are read for Roo Code: %j', (text, status) => {
    expect(rooStatus(text)).toBe(status);
  });

  it('are read for several commands of a Cline call if all have the same status', () => {
    const ran = { query: 'ls', result: 'a', success: true };
    const failed = { query: 'make', result: '', error: 'Command exited with code 2', success: false };
    expect(clineStatus([ran, ran])).toBe(0);
    expect(clineStatus([failed])).toBe(2);
    expect(clineStatus([ran, failed])).toBeUndefined();
    expect(clineStatus('text')).toBeUndefined();
  });
});
