import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mostMemoryBytes, readMemoryFiles } from '../../../src/agent/memory/memory-files.ts';
import { Workspace } from '../../../src/agent/tools/workspace.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const read = (files: TemporaryWorkspace, window?: number) =>
  readMemoryFiles(new Workspace([files.path]), undefined, window);
const firstTextIn = async (files: TemporaryWorkspace, window?: number) =>
  (await read(files, window))[0]?.text ?? '';
const shownIn = async (files: TemporaryWorkspace) => (await read(files)).map(({ shown }) => shown);

describe('the memory of a workspace', () => {
  it('is what stands in the files that agents look for', async () => {
    await using files = await TemporaryWorkspace.create({
      'AGENTS.md': '\uFEFFUse tabs.\r\nTest first.\n',
      'CLAUDE.md': 'Be brief.',
      '.github/copilot-instructions.md': 'British spelling.',
      'docs/AGENTS.md': 'Not this one.',
    });
    expect(await read(files)).toEqual([
      { shown: 'AGENTS.md', text: 'Use tabs.\nTest first.' },
      { shown: 'CLAUDE.md', text: 'Be brief.' },
      { shown: '.github/copilot-instructions.md', text: 'British spelling.' },
    ]);
  });

  it.each(['Use tabs.\n', '@AGENTS.md', '# Claude\n\nRead `AGENTS.md` before you begin.\n', 'AGENTS.md'])(
    'is not repeated by a file that says %j',
    async (text) => {
      await using files = await TemporaryWorkspace.create({ 'AGENTS.md': 'Use tabs.', 'CLAUDE.md': text });
      expect(await shownIn(files)).toEqual(['AGENTS.md']);
    },
  );

  it('is not left out where a file says more, or points at one that is not there', async () => {
    await using files = await TemporaryWorkspace.create({ 'CLAUDE.md': '@AGENTS.md' });
    expect(await shownIn(files)).toEqual(['CLAUDE.md']);
    await files.write('AGENTS.md', 'Use tabs.');
    await files.write('CLAUDE.md', '@AGENTS.md\nAnd be brief.');
    expect(await shownIn(files)).toEqual(['AGENTS.md', 'CLAUDE.md']);
  });

  it('is told apart by the folder where several are open', async () => {
    await using one = await TemporaryWorkspace.create({ 'AGENTS.md': 'One.' });
    await using other = await TemporaryWorkspace.create({ 'AGENTS.md': 'Other.' });
    const workspace = new Workspace([one.path, other.path]);
    const names = (await workspace.roots()).map(({ name }) => `${name}/AGENTS.md`);
    const found = await readMemoryFiles(workspace, undefined, undefined);
    expect(found.map(({ shown }) => shown)).toEqual(names);
  });

  it('is read up to a limit, no character cut in two, with a note', async () => {
    await using files = await TemporaryWorkspace.create({ 'AGENTS.md': `x${'é'.repeat(mostMemoryBytes)}` });
    const text = await firstTextIn(files);
    expect(Buffer.byteLength(text)).toBeLessThan(mostMemoryBytes + 100);
    expect(text).toContain('the file goes on: 64001 bytes');
    expect(text).not.toContain('\uFFFD');
  });

  it('leaves room in a small window', async () => {
    await using files = await TemporaryWorkspace.create({ 'AGENTS.md': 'x'.repeat(mostMemoryBytes) });
    const text = await firstTextIn(files, 8_000);
    expect(text.length).toBeLessThan(4_100);
  });

  it('is nothing where a link leads out of the workspace', async () => {
    await using outside = await TemporaryWorkspace.create({ 'secret.md': 'key' });
    await using files = await TemporaryWorkspace.create();
    await files.link('AGENTS.md', outside.at('secret.md'));
    expect(await read(files)).toEqual([]);
  });

  it('is nothing where there is no text', async () => {
    await using files = await TemporaryWorkspace.create({
      'AGENTS.md': ' \n',
      'CLAUDE.md': 'binary\0',
      '.github/copilot-instructions.md/x': '',
    });
    expect(await read(files)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    await using files = await TemporaryWorkspace.create();
    execFileSync('mkfifo', [files.at('AGENTS.md')]);
    expect(await read(files)).toEqual([]);
  });
});

describe("the person's own memory", () => {
  it('comes first, from wherever it is kept', async () => {
    await using home = await TemporaryWorkspace.create({ 'memory.md': '- Answer in French.' });
    await using files = await TemporaryWorkspace.create({ 'AGENTS.md': 'Use tabs.' });
    const personal = { path: home.at('memory.md'), shown: 'memory.md' };
    expect(await readMemoryFiles(new Workspace([files.path]), personal, undefined)).toEqual([
      { shown: 'memory.md', text: '- Answer in French.', isPersonal: true },
      { shown: 'AGENTS.md', text: 'Use tabs.' },
    ]);
    expect(await readMemoryFiles(undefined, personal, undefined)).toHaveLength(1);
  });
});
