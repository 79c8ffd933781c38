import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { hostSentences } from '../../../src/language/english/host-english.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { MessageViews } from '../../../src/presenters/inspector/message-view.ts';

describe('the line of a message', () => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const read = (path: string): readonly Message[] => [
    {
      id: 'm1',
      role: 'assistant',
      origin: 'model',
      createdAt,
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'Read', arguments: JSON.stringify({ file_path: path }) },
        },
      ],
    },
    { id: 'm2', role: 'tool', origin: 'tool', createdAt, content: 'text', tool_call_id: 'c1' },
  ];
  const labelsOf = (path: string, folder?: string) => {
    const messages = read(path);
    const views = new MessageViews(messages, hostSentences.say('titleYou'), folder);
    return messages.map(
      (message) => views.view(message, { tokens: 1, isRestored: false }, describeCall, englishWording).label,
    );
  };

  it('shows a path relative to the agent’s working folder', () => {
    const folder = `/home/user/${'deep/'.repeat(40)}project`;
    expect(labelsOf(`${folder}/src/search.ts`, folder)).toEqual(['src/search.ts', 'Read src/search.ts']);
  });

  it('shows a command of an agent by its name', () => {
    const content = '<command-message>tidy</command-message>\n<command-name>/tidy</command-name>';
    const told = { id: 'm1', role: 'user', origin: 'harness', kind: 'reminder', createdAt, content } as const;
    const views = new MessageViews([told], hostSentences.say('titleYou'));
    const line = views.view(told, { tokens: 1, isRestored: false }, describeCall, englishWording);
    expect(line.excerpt).toBe('/tidy');
  });

  it('shows the whole path of a file outside the working folder', () => {
    expect(labelsOf('/etc/hosts', '/home/user/project')).toEqual(['/etc/hosts', 'Read /etc/hosts']);
  });
});
