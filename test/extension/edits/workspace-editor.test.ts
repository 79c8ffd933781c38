import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileChange, FileEditor } from '../../../src/agent/edits/file-editor.ts';
import { EditReview } from '../../../src/extension/edits/workspace-editor.ts';
import { closeDocument, commandsRun, workspace } from '../../support/editor/vscode-documents.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-documents.ts'));

/** Addresses as the fake editor has them. */
interface Address {
  readonly fsPath?: string;
  readonly scheme: string;
  readonly path: string;
}

const change: FileChange = { path: '/project/a.ts', shown: 'a.ts', before: 'old\n', after: 'new\n' };

let onDisk: string | undefined;
let review: EditReview;

beforeEach(() => {
  commandsRun.length = 0;
  workspace.workspaceFolders = [];
  onDisk = 'old\n';
  const editor: FileEditor = { read: () => Promise.resolve(onDisk), apply: () => Promise.resolve() };
  review = new EditReview('edits', editor);
  return () => review.dispose();
});

/** Opens the diff editor. @returns the addresses of its sides */
async function opened(of: FileChange): Promise<readonly [left: Address, right: Address]> {
  await review.review(of, 'a.ts (edit)');
  const [command, left, right, title] = commandsRun.at(-1)!;
  expect([command, title]).toEqual(['vscode.diff', 'a.ts (edit)']);
  return [left as Address, right as Address];
}

const textOf = (address: Address) => review.provideTextDocumentContent(address as never);

describe('the diff editor of an edit', () => {
  it('compares the file with its planned content', async () => {
    const [left, right] = await opened(change);
    expect(left.fsPath).toBe('/project/a.ts');
    expect(textOf(right)).toBe('new\n');
  });

  it('compares the file before and after the edit once the edit is made', async () => {
    onDisk = 'new\n';
    const [left, right] = await opened(change);
    expect([left, right].map(({ scheme, path }) => [scheme, path])).toEqual([
      ['edits', '/a.ts'],
      ['edits', '/a.ts'],
    ]);
    expect([textOf(left), textOf(right)]).toEqual(['old\n', 'new\n']);
  });

  it('has an empty side for a file that is created or deleted', async () => {
    onDisk = undefined;
    const [left] = await opened({ ...change, before: undefined });
    expect(textOf(left)).toBe('');
    const [, right] = await opened({ ...change, after: undefined });
    expect(textOf(right)).toBe('');
  });

  it('reports an outdated edit whose text is no longer available', async () => {
    const [, right] = await opened(change);
    closeDocument(right);
    expect(textOf(right)).toBe('This change is no longer available.');
  });

  it('keeps the texts of two edits of the same file separate', async () => {
    const [, first] = await opened(change);
    const [, second] = await opened({ ...change, after: 'newer\n' });
    expect([textOf(first), textOf(second)]).toEqual(['new\n', 'newer\n']);
  });
});
