import { describe, expect, it } from 'vitest';
import { previewOf } from '../../../../src/compaction/strategies/steps/result-preview.ts';
import { result } from '../../../support/messages.ts';

const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);

const shown = (output: string, most: number) => previewOf(result('r', 'c', output), most);

describe('previewOf', () => {
  it('shows the beginning and the end', () => {
    expect(shown(lines.join('\n'), 3)).toBe('line 0\nline 1\nline 99');
  });

  it('keeps the exit status and error lines anywhere in the output', () => {
    const output = ['Exit code 2', ...lines, 'src/a.ts: error: broken', ...lines].join('\n');
    expect(shown(output, 3)).toBe('Exit code 2\nline 0\nsrc/a.ts: error: broken\nline 99');
    const late = [...lines, 'Process exited with code 3', ...lines.slice(0, 3)].join('\n');
    expect(shown(late, 3).split('\n').at(-1)).toBe('exit status 3');
  });

  it('leaves out lines added by the shell tool', () => {
    const codex = [
      'Chunk ID: 95c112',
      'Wall time: 0.0001 seconds',
      'Process exited with code 2',
      'Output:',
      ...lines,
    ];
    expect(shown(codex.join('\n'), 3)).toBe('line 0\nline 1\nline 99\nexit status 2');
    const shell = [...lines, '[Current working directory: /src]', '[Command finished with exit code 0]'];
    expect(shown(shell.join('\n'), 3).split('\n').slice(0, 3)).toEqual(['line 0', 'line 1', 'line 99']);
  });

  it('shows lines added by the shell tool if there are no other lines', () => {
    expect(shown('Wall time: 3 seconds', 3)).toBe('Wall time: 3 seconds');
  });

  it('cuts long lines', () => {
    expect(shown('x'.repeat(1_000), 3)).toHaveLength(160);
  });

  it('shows each line of a short output once', () => {
    expect(shown('one\ntwo', 5)).toBe('one\ntwo');
  });

  it('keeps all lines of short merge conflicts', () => {
    const conflict = [
      '     8→<<<<<<< HEAD',
      '     9→ours',
      '    10→=======',
      '    11→theirs',
      '    12→>>>>>>> main',
    ];
    expect(shown([...lines, ...conflict, ...lines].join('\n'), 3).split('\n')).toEqual([
      'line 0',
      'line 1',
      ...conflict,
      'line 99',
    ]);
  });

  it('keeps the markers of long merge conflicts', () => {
    const conflict = ['<<<<<<< HEAD', ...lines, '=======', ...lines, '>>>>>>> main'].join('\n');
    expect(shown(`start\n${conflict}\nend`, 1).split('\n').slice(1)).toEqual([
      '<<<<<<< HEAD',
      '=======',
      '>>>>>>> main',
    ]);
  });

  it('keeps lines that contain a name from a later search as a whole word', () => {
    const output = [...lines, 'const parseLine = 1;', 'parseLines()', ...lines].join('\n');
    const preview = previewOf(result('r', 'c', output), 3, ['parseLine']);
    expect(preview).toBe('line 0\nline 1\nconst parseLine = 1;\nline 99');
  });

  it('leaves out reminders of the program and empty lines of a listing', () => {
    const reminder = '<system-reminder>\nDo not improve the code.\n</system-reminder>';
    expect(shown(`1→first\n2→\n3→last\n\n${reminder}\n`, 3)).toBe('1→first\n3→last');
  });
});
