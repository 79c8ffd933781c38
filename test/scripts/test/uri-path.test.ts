import { expect, it } from 'vitest';
import { uriPath } from '../../../scripts/test/uri-path.ts';

it.each([
  ['C:\\Users\\Ann Lee\\app', '/C:/Users/Ann Lee/app'],
  ['c:\\100%\\#1', '/c:/100%/#1'],
  ['D:\\写\\', '/D:/写/'],
  ['\\\\server\\share\\app', '/share/app'],
])('uriPath returns slashes and no encoding for the Windows path %s', (path, expected) => {
  expect(uriPath(path, true)).toBe(expected);
});

it.each(['/home/ann lee/app', '/100%/#1?', '/a\\b', '/写'])('uriPath keeps the POSIX path %s', (path) => {
  expect(uriPath(path, false)).toBe(path);
});
