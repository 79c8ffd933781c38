import { expect, it } from 'vitest';
import { withDelegate } from '../../../src/extension/agent/agent-tools.ts';
import type { SubAgentHost } from '../../../src/agent/delegation/sub-agent-session.ts';
import type { ToolAccess } from '../../../src/agent/session/session-ports.ts';
import { serverTool } from '../../agent/tools/server-tools.ts';

it('a sub-agent cannot get a tool that is disabled for the chat', async () => {
  const tools = [serverTool('add_note', ''), serverTool('paint', '', { server: 'art' })];
  const isOff: ToolAccess['isOff'] = ({ server }) => server === 'art';
  const delegate = withDelegate(tools, { isOff } as ToolAccess, {} as SubAgentHost).at(-1);
  if (delegate === undefined || !('propose' in delegate)) throw new Error('There is no tool for sub-agents.');
  const propose = (tool: string) =>
    delegate.propose({ shards: [{ name: 'a', task: 'Go.', tools: [tool] }] }, new AbortController().signal);
  expect(await propose('mcp_notes_add_note')).toHaveProperty('approval');
  expect(await propose('mcp_art_paint')).toMatchObject({ isError: true });
});
