import { asked, claudeCode, claudeReply, claudeRow, claudeUser, lines, text } from './carriers.ts';

const claudeSide = (row: object, index: number) =>
  claudeRow(index, { isSidechain: true, agentId: 'a1', ...row });
const codexSide = (words: string, meta: object) =>
  lines(
    { type: 'session_meta', payload: { id: 'x', cwd: '/home/me/proj', ...meta } },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] },
    },
    { type: 'event_msg', payload: { type: 'user_message', message: words } },
  );
const spawned = { source: { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } } };
const opencodeSession = (id: string, words: string, more: object) => ({
  info: { id, directory: '/home/me/proj', ...more },
  messages: [{ info: { id: `${id}-m`, role: 'user' }, parts: [text(words)] }],
});

interface SubAgentCarrier {
  /** Id of the conversation, if it is in the parent's file. */
  readonly conversation?: string;
  readonly write: (words: string) => string;
}

/** Conversations of sub-agents, by the way in which each agent stores the task from the parent's model. */
export const subAgentCarriers: Readonly<Record<string, SubAgentCarrier>> = {
  'Claude Code, file': {
    write: (words) => lines(...[claudeUser(words), claudeReply, claudeUser(words)].map(claudeSide)),
  },
  'Claude Code, sidechain': {
    conversation: 'a1',
    write: (words) => `${claudeCode()}${lines({ ...claudeSide(claudeUser(words), 0), uuid: 'a1-0' })}`,
  },
  Codex: { write: (words) => codexSide(words, spawned) },
  'Codex, review': { write: (words) => codexSide(words, { source: { subagent: 'review' } }) },
  'Gemini CLI': {
    write: (words) =>
      lines(
        { sessionId: 's', projectHash: 'h', kind: 'subagent' },
        { id: 'g0', type: 'user', content: [{ text: words }] },
      ),
  },
  'Gemini CLI, one object': {
    write: (words) =>
      JSON.stringify({
        sessionId: 's',
        projectHash: 'h',
        kind: 'subagent',
        messages: [{ id: 'g0', type: 'user', content: words }],
      }),
  },
  'Qwen Code': {
    write: (words) =>
      lines(claudeSide({ type: 'user', message: { role: 'user', parts: [{ text: words }] } }, 0)),
  },
  Cline: {
    write: (words) =>
      JSON.stringify({
        version: 1,
        agent: 'subagent',
        sessionId: 's__agent_1',
        messages: [{ role: 'user', content: [text(words)] }],
      }),
  },
  'opencode, child': {
    conversation: 'c',
    write: (words) =>
      JSON.stringify({
        ...opencodeSession('s', asked, {}),
        children: [opencodeSession('c', words, { parentID: 's' })],
      }),
  },
  'opencode, export of a child': {
    write: (words) => JSON.stringify(opencodeSession('c', words, { parentID: 's' })),
  },
  'Copilot CLI': {
    conversation: 't1',
    write: (words) =>
      lines(
        { type: 'session.start', data: { version: 1, sessionId: 's' } },
        { type: 'user.message', data: { content: asked } },
        { type: 'subagent.started', agentId: 'a', data: { toolCallId: 't1' } },
        { type: 'user.message', agentId: 'a', data: { content: words } },
      ),
  },
  'Copilot Chat, telemetry': {
    write: (words) =>
      lines({
        attributes: {
          'gen_ai.request.model': 'm',
          'copilot_chat.parent_chat_session_id': 'p',
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: words }] },
          ]),
        },
      }),
  },
};
