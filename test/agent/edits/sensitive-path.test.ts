import { describe, expect, it } from 'vitest';
import { isInsideGit, isSensitivePath } from '../../../src/agent/edits/sensitive-path.ts';

describe('a path', () => {
  it.each([
    '.env',
    '.env.local',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    'app/.npmrc',
    '.husky/pre-commit',
  ])('is sensitive where a name in it begins with a dot: %s', (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });

  it.each(['src/lock.ts', 'package.json', 'a.env/file', 'notes.', '...'])('is not sensitive: %s', (path) => {
    expect(isSensitivePath(path)).toBe(false);
  });

  it.each([
    '/w/.git/config',
    '/w/.git',
    '/w/.GIT/hooks/pre-commit',
    'C:\\w\\.git.\\config',
    '/w/git~1/config',
    '/w/.git::$INDEX',
  ])('belongs to git, however it is spelled: %s', (path) => {
    expect(isInsideGit(path)).toBe(true);
  });

  it.each(['/w/.gitignore', '/w/.github/x', '/w/git/x', '/w/repository.git/x'])(
    'does not belong to git: %s',
    (path) => {
      expect(isInsideGit(path)).toBe(false);
    },
  );
});
