import { describe, expect, it } from 'vitest';
import { endOfClaudeCodeResult } from '../../../../src/transcripts/formats/claude-code/claude-code-ends.ts';

describe('the exit status of a command in Claude Code', () => {
  it('is 0 if its output was recorded without an error', () => {
    const toolUseResult = { stdout: 'ok', stderr: '', interrupted: false };
    expect(endOfClaudeCodeResult({ toolUseResult }, 'ok', false).status).toBe(0);
  });

  it('is the status at the beginning of an error', () => {
    expect(endOfClaudeCodeResult({}, 'Exit code 2\nmake: *** failed', true).status).toBe(2);
    expect(endOfClaudeCodeResult({}, 'File not found', true)).not.toHaveProperty('status');
  });

  it.each([
    ['of another tool', { filePath: 'a.ts' }],
    ['that was stopped', { stdout: '', interrupted: true }],
    ['that continues in the background', { stdout: '', backgroundTaskId: 'b1' }],
    ['whose status has another meaning', { stdout: '', returnCodeInterpretation: 'No matches found' }],
  ])('is unknown for a result %s', (_of, toolUseResult) => {
    expect(endOfClaudeCodeResult({ toolUseResult }, '', false).status).toBeUndefined();
  });
});
