import { describe, expect, it } from 'vitest';
import { readQuestion } from '../../../src/agent/offline/question.ts';

const ids: ReadonlySet<string> = new Set(['m12', 's3']);
const read = (text: string) => readQuestion(text, ids);

describe('a question', () => {
  it.each(['hi', 'Thank you!', '你好', 'What can you do?', '   ', '?!'])('can be small talk: %s', (text) => {
    expect(read(text)).toEqual({ kind: 'talk' });
  });

  it.each([
    ['recall m12', 'm12'],
    ['Please recall("m7")', 'm7'],
    ['recall the original of m40', 'm40'],
    ['What did s3 say?', 's3'],
    ['m12', 'm12'],
    ['找回 m12', 'm12'],
  ])('can ask for hidden text: %s', (text, id) => {
    expect(read(text)).toEqual({ kind: 'recall', id });
  });

  it.each([
    ['List the files', undefined, undefined],
    ['list all files in this project', undefined, undefined],
    ['What files are in src/agent?', 'src/agent', undefined],
    ['list the files in src', 'src', undefined],
    ['ls docs', 'docs', undefined],
    ['list all *.ts files', undefined, '*.ts'],
    ['列出 src 目录下的文件', 'src', undefined],
    ['有哪些文件？', undefined, undefined],
  ])('can ask for a list: %s', (text, path, glob) => {
    expect(read(text)).toEqual({ kind: 'list', path, glob });
  });

  it.each([
    'What is in this project?',
    "what's in the repo",
    'What is this project about?',
    'Give me an overview of the codebase',
    'Explain this project',
    '这个项目里有什么？',
    '介绍一下这个项目',
  ])('can ask for an overview: %s', (text) => {
    expect(read(text)).toEqual({ kind: 'overview' });
  });

  it.each([
    ['read src/x.ts', 'src/x.ts', undefined, undefined],
    ['What does lock.ts do?', 'lock.ts', undefined, undefined],
    ['show me file-lock.ts', 'file-lock.ts', undefined, undefined],
    ['display the contents of the file src/x.ts', 'src/x.ts', undefined, undefined],
    ['src/x.ts:10-20', 'src/x.ts', 10, 20],
    ['show src/x.ts:42', 'src/x.ts', 37, 48],
    ['show me lines 5 to 9 of x.ts', 'x.ts', 5, 9],
    ['x.ts lines 9-5', 'x.ts', 5, 9],
    ['查看 src/x.ts 第3到8行', 'src/x.ts', 3, 8],
  ])('can ask for a file: %s', (text, file, start, end) => {
    expect(read(text)).toEqual({ kind: 'read', file, start, end });
  });

  it.each([
    'Where is FileLock defined?',
    'How does src/lock.ts handle timeouts?',
    'Which files use the archive?',
    'What is in the summary prompt?',
    '压缩策略是什么？',
  ])('can require a search: %s', (text) => {
    expect(read(text).kind).toBe('search');
  });

  it('is found at the end of pasted text', () => {
    expect(read(`${'noise '.repeat(10_000)}\nrecall m12`)).toEqual({ kind: 'recall', id: 'm12' });
  });
});
