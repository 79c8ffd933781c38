import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextAnswer, HookCallError, readHookCall } from '../../../src/bridge/hooks/hook-call.ts';

const path = resolve('/sessions/s1.jsonl');
const read = (input: object, argument?: string) => readHookCall(JSON.stringify(input), argument);

describe('readHookCall', () => {
  it('reads the field names of Claude Code, Codex and Copilot', () => {
    const call = {
      event: 'PostToolUse',
      session: 's1',
      transcript: path,
      workspace: resolve('/w'),
      isCopilotCli: false,
    };
    const cwd = resolve('/w');
    expect(
      read({
        hook_event_name: 'PostToolUse',
        session_id: 's1',
        transcript_path: path,
        cwd,
        tool_response: 1,
      }),
    ).toEqual(call);
    const copilot = { hookEventName: 'PostToolUse', sessionId: 's1', transcriptPath: path, cwd };
    expect(read({ ...copilot, toolResult: 1 })).toEqual({ ...call, isCopilotCli: true });
    expect(read({ ...copilot, tool_result: 1 })).toEqual({ ...call, isCopilotCli: true });
  });

  it('takes the event from the input, or else from the command line, ignoring case', () => {
    expect(read({ hook_event_name: 'stop' }, 'PreCompact')?.event).toBe('Stop');
    expect(read({}, 'userPromptSubmit')?.event).toBe('UserPromptSubmit');
  });

  it.each([
    ['of another event', { hook_event_name: 'PreToolUse' }],
    ['without an event', {}],
    ['whose event is not a string', { hook_event_name: 3 }],
    ['at the start of a session', { hook_event_name: 'SessionStart', source: 'startup' }],
    ['of a sub-agent', { hook_event_name: 'Stop', agent_id: 'a1' }],
    ['of a sub-agent of Copilot', { hook_event_name: 'Stop', agentId: 'a1' }],
  ])('ignores a call %s', (_, input) => {
    expect(read(input)).toBeUndefined();
  });

  it('reads the start of a session after a compaction', () => {
    expect(read({ hook_event_name: 'SessionStart', source: 'compact' })?.event).toBe('SessionStart');
  });

  it('ignores relative paths and empty ids', () => {
    const call = read({ hook_event_name: 'Stop', session_id: '', transcript_path: 's1.jsonl', cwd: 3 });
    expect(call).toEqual({
      event: 'Stop',
      session: undefined,
      transcript: undefined,
      workspace: undefined,
      isCopilotCli: false,
    });
    expect(read({ hook_event_name: 'Stop', session_id: 3 })?.session).toBeUndefined();
  });

  it('reads input with a byte order mark', () => {
    expect(readHookCall('\uFEFF{}', 'Stop')?.event).toBe('Stop');
  });

  it.each([
    ['text that is not JSON', '{', 'standard input is not JSON'],
    ['JSON that is not an object', '[]', 'standard input is not a JSON object'],
    ['a byte order mark after the beginning', '{}\uFEFF', 'standard input is not JSON'],
  ])('refuses %s', (_, input, words) => {
    expect(() => readHookCall(input, 'Stop')).toThrow(new HookCallError(words));
    expect(() => readHookCall(input, 'Stop')).toThrow(HookCallError);
  });
});

describe('contextAnswer', () => {
  it('has the text in the common field, and for Copilot CLI also at the top level', () => {
    const hookSpecificOutput = { hookEventName: 'Stop', additionalContext: 'text' };
    const answer = (isCopilotCli: boolean): unknown =>
      JSON.parse(contextAnswer({ event: 'Stop', isCopilotCli }, 'text'));
    expect(answer(false)).toEqual({ hookSpecificOutput });
    expect(answer(true)).toEqual({ additionalContext: 'text', hookSpecificOutput });
  });
});
