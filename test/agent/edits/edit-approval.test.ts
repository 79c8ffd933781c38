import { describe, expect, it } from 'vitest';
import { editApproval } from '../../../src/agent/edits/edit-approval.ts';
import type { FileChange } from '../../../src/agent/edits/file-editor.ts';

const change = (shown: string, before: string | undefined, after: string | undefined): FileChange => ({
  path: `/projects/${shown}`,
  shown,
  before,
  after,
});

describe('the approval of an edit', () => {
  it('names the file and can be given for all edits', () => {
    const changes = [change('src/lock.ts', 'a\n', 'b\n')];
    expect(editApproval(changes)).toEqual({
      kind: 'edit',
      title: 'Edit src/lock.ts',
      details: '',
      changes,
      subjects: ['src/lock.ts'],
      rule: { kind: 'edit', pattern: '**' },
    });
  });

  it.each([
    ['Create a', [change('a', undefined, '')]],
    ['Delete a', [change('a', '', undefined)]],
    ['Change 2 files', [change('a', '', 'x'), change('b', 'x', '')]],
  ])('says: %s', (title, changes) => {
    expect(editApproval(changes).title).toBe(title);
  });

  it('can be given only once, and warns, where one of the files is sensitive', () => {
    const { rule, warning } = editApproval([change('a', '', 'x'), change('.env', '', 'KEY=1')]);
    expect(rule).toBeUndefined();
    expect(warning).toBe('.env is or belongs to something hidden, which can run code or hold secrets.');
  });

  it('warns of scripts that change', () => {
    const before = '{"scripts":{"test":"vitest"}}';
    expect(editApproval([change('package.json', before, '{"scripts":{"test":"evil"}}')])).toMatchObject({
      warning: 'package.json changes scripts, which run code.',
      rule: { pattern: '**' },
    });
  });

  it('does not warn of a package.json whose scripts stay', () => {
    const before = '{"name":"a","scripts":{"test":"vitest"}}';
    const after = '{"name":"b","scripts":{"test":"vitest"}}';
    expect(editApproval([change('package.json', before, after)]).warning).toBeUndefined();
  });

  it('warns where a file loses more than half of its lines', () => {
    expect(editApproval([change('a', '1\n2\n3\n4\n5\n', '1\n2\n')]).warning).toBe(
      'a loses 3 of its 5 lines.',
    );
  });

  it('does not warn where a file loses half of them', () => {
    expect(editApproval([change('a', '1\n2\n3\n4\n', '1\n2\n')]).warning).toBeUndefined();
  });
});
