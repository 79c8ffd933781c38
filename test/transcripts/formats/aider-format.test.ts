import { describe, expect, it } from 'vitest';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { aiderFormat } from '../../../src/transcripts/formats/aider-format.ts';

const history = `
# aider chat started at 2025-03-04 05:06:07

> Aider v1.0  
> Added bread.py to the chat.  

#### make it rise  
#### but slowly  

I add yeast:

bread.py
\`\`\`python
    bake(yeast)

>>>>>>> REPLACE
\`\`\`

> Applied edit to bread.py  
>  
> Commit 123  

#### /clear  

#### thanks  
`;
const speakers = (text: string) =>
  messagesOf(aiderFormat.parse(text)).map(({ role, origin }) => [role, origin]);

describe('importing Aider histories', () => {
  it('distinguishes the user, the program and the model', () => {
    expect(speakers(history)).toEqual([
      ['assistant', 'harness'],
      ['tool', 'tool'],
      ['user', 'harness'],
      ['user', 'person'],
      ['assistant', 'model'],
      ['tool', 'tool'],
      ['user', 'harness'],
      ['user', 'person'],
    ]);
  });

  it.each([
    ['> Added a.md to the chat.  \n\n#### typed  \n\nI see.\n\n#### Never test.  \n\nDone.', 'typed'],
    ['#### typed\n\n#### Never test.\n\nDone.', 'typed'],
    ['#### typed  \n\nBroken of\n\n\n#### typed again  \n\nDone.', 'typed\ntyped again'],
  ])('treats a heading in a reply as part of the reply: %j', (text, words) => {
    const said = messagesOf(aiderFormat.parse(`# aider chat started at 2025-03-04 05:06:07\n\n${text}\n`));
    const typed = said.filter(({ origin }) => origin === 'person').map(({ content }) => content);
    expect(typed.join('\n')).toBe(words);
  });

  it("reads the output of a command, and the user's message that shares it", () => {
    const text = `# aider chat started at 2025-03-04 05:06:07

#### /run make  
> first line
# second line

>           third
last line  
> Add the output to the chat?
(y/n/instructions) say why it fails  
> first line  

It fails.  
`;
    const messages = messagesOf(aiderFormat.parse(text));
    expect(messages.map(({ role, origin, content }) => [role, origin, content])).toEqual([
      ['user', 'person', '/run make'],
      ['assistant', 'harness', null],
      [
        'tool',
        'tool',
        'first line\n# second line\n\n>           third\nlast line  \nAdd the output to the chat?',
      ],
      ['user', 'person', 'say why it fails'],
      ['user', 'harness', 'first line'],
      ['assistant', 'model', 'It fails.'],
    ]);
  });

  it('removes marks and keeps the text between them', () => {
    const contents = messagesOf(aiderFormat.parse(history)).map(({ content }) => content);
    expect(contents).toEqual([
      null,
      'Added bread.py to the chat.',
      'Aider v1.0',
      'make it rise  \nbut slowly',
      'I add yeast:\n\nbread.py\n```python\n    bake(yeast)\n\n>>>>>>> REPLACE\n```',
      'Applied edit to bread.py',
      'Commit 123',
      '/clear  \n\nthanks',
    ]);
  });

  it('turns added files, applied edits and commands into calls', () => {
    const messages = messagesOf(
      aiderFormat.parse(`# aider chat started at 2025-03-04 05:06:07

> Models: some/model with diff edit format, weak model other  
> Added src/a.py to the chat  

#### fix it  

Done.

> Tokens: 8,985 sent, 1k cache hit, 883 received. Cost: $0.04 request, $0.04 session.  
> Applied edit to src/b.py  
> ## Running: lint.sh src/b.py  
> F841 unused  

#### /run pytest -q  

> 1 failed  
`),
    );
    const { filesRead, filesModified } = extractLedger(messages);
    expect(filesRead).toContain('src/a.py');
    expect(filesModified).toEqual([{ path: 'src/b.py', edits: 1 }]);
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map((call) => call.function);
    const commands = calls.flatMap((call) => (call.name === 'run_command' ? [call.arguments] : []));
    expect(commands).toEqual(['{"command":"lint.sh src/b.py"}', '{"command":"pytest -q"}']);
    expect(messages.find(({ content }) => content === 'Done.')).toMatchObject({
      modelId: 'some/model',
      usage: { inputTokens: 8_985, cachedInputTokens: 1_000, outputTokens: 883 },
      tool_calls: [{ function: { name: 'edit_file', arguments: '{"path":"src/b.py"}' } }],
    });
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: '1 failed' });
    expect(repairPairs(messages)).toEqual(messages);
  });

  it('keeps the line ends of messages', () => {
    const [said] = messagesOf(aiderFormat.parse('# aider chat started at 2025-03-04 05:06:07\none\r\ntwo'));
    expect(said?.content).toBe('one\r\ntwo');
  });

  it('gives all messages the time of the session', () => {
    const times = new Set(messagesOf(aiderFormat.parse(history)).map(({ createdAt }) => createdAt));
    expect([...times]).toEqual(['2025-03-04T05:06:07.000Z']);
  });

  it('reads only the last of several sessions, and reports this', () => {
    const imported = aiderFormat.parse(
      `${history}\n# aider chat started at 2025-03-05 05:06:07\n\n#### again`,
    );
    expect(messagesOf(imported)).toMatchObject([{ content: 'again', createdAt: '2025-03-05T05:06:07.000Z' }]);
    expect(imported.problems).toEqual(['Of the 2 sessions in the file only the last was read.']);
  });

  it('treats a heading without a line break as text of the model', () => {
    const text =
      '# aider chat started at 2025-03-04 05:06:07\n\n#### plan it  \n\nFirst:\n\n#### Always ask\n';
    expect(messagesOf(aiderFormat.parse(text)).map(({ origin, content }) => [origin, content])).toEqual([
      ['person', 'plan it'],
      ['model', 'First:\n\n#### Always ask'],
    ]);
  });

  it('reads files with other line ends', () => {
    expect(aiderFormat.parse(history.replaceAll('\n', '\r\n'))).toEqual(aiderFormat.parse(history));
  });

  it('reports an invalid time and reads the rest', () => {
    const imported = aiderFormat.parse('# aider chat started at noon\n#### hi');
    expect(imported.problems).toEqual(['Line 1: the time of the session could not be read.']);
    expect(messagesOf(imported)).toMatchObject([{ content: 'hi' }]);
  });

  it.each([
    ['', 'Line 1: expected an Aider chat history'],
    ['\n\n# Bread\n', 'Line 3: expected an Aider chat history'],
    ['{"messages":[]}', 'Line 1: expected an Aider chat history'],
  ])('states the expected form for %j', (text, message) => {
    expect(() => aiderFormat.parse(text)).toThrow(message);
  });
});
