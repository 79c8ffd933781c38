import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/compaction/transcript.ts';
import { aiderFormat } from '../../src/transcripts/aider-format.ts';

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
  it('tells the person, the program and the model apart', () => {
    expect(speakers(history)).toEqual([
      ['user', 'harness'],
      ['user', 'person'],
      ['assistant', 'model'],
      ['user', 'harness'],
      ['user', 'person'],
    ]);
  });

  it('takes the marks off and leaves the text within as it is', () => {
    const contents = messagesOf(aiderFormat.parse(history)).map(({ content }) => content);
    expect(contents).toEqual([
      'Aider v1.0  \nAdded bread.py to the chat.',
      'make it rise  \nbut slowly',
      'I add yeast:\n\nbread.py\n```python\n    bake(yeast)\n\n>>>>>>> REPLACE\n```',
      'Applied edit to bread.py  \n \nCommit 123',
      '/clear  \n\nthanks',
    ]);
  });

  it('gives all messages the time of the session', () => {
    const times = new Set(messagesOf(aiderFormat.parse(history)).map(({ createdAt }) => createdAt));
    expect([...times]).toEqual(['2025-03-04T05:06:07.000Z']);
  });

  it('reads the last of several sessions and says so', () => {
    const imported = aiderFormat.parse(
      `${history}\n# aider chat started at 2025-03-05 05:06:07\n\n#### again`,
    );
    expect(messagesOf(imported)).toMatchObject([{ content: 'again', createdAt: '2025-03-05T05:06:07.000Z' }]);
    expect(imported.problems).toEqual(['Of the 2 sessions in the file only the last was read.']);
  });

  it('reads files with other line ends', () => {
    expect(aiderFormat.parse(history.replaceAll('\n', '\r\n'))).toEqual(aiderFormat.parse(history));
  });

  it('reports a time that is none and reads the rest', () => {
    const imported = aiderFormat.parse('# aider chat started at noon\n#### hi');
    expect(imported.problems).toEqual(['Line 1: the time of the session could not be read.']);
    expect(messagesOf(imported)).toMatchObject([{ content: 'hi' }]);
  });

  it.each([
    ['', 'Line 1: expected an Aider chat history'],
    ['\n\n# Bread\n', 'Line 3: expected an Aider chat history'],
    ['{"messages":[]}', 'Line 1: expected an Aider chat history'],
  ])('says what it expected of %j', (text, message) => {
    expect(() => aiderFormat.parse(text)).toThrow(message);
  });
});
