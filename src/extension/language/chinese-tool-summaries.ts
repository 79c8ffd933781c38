import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What is said of the result of a call in its row, and of what a sub-agent does. */
export const toolSummaries: SentenceTable = {
  '{0}, 1 line': '{0}，1 行',
  '{0}, {#1} lines': '{0}，{1} 行',
  '{0}; the sandbox may be why': '{0}；原因可能是沙盒',
  '{0} after {#1} s': '{0}，用时 {1} 秒',
  'exit code {#0}': '退出代码 {0}',
  'ended by {0}': '由 {0} 结束',
  'ended because it took longer than {#0} s': '因超过 {0} 秒而结束',
  'stopped by a person': '已由用户停止',

  '{#0} error, {#1} warning': '{0} 个错误，{1} 个警告',
  '{#0} error, {#1} warnings': '{0} 个错误，{1} 个警告',
  '{#0} errors, {#1} warning': '{0} 个错误，{1} 个警告',
  '{#0} errors, {#1} warnings': '{0} 个错误，{1} 个警告',

  '{#0} files {#1} {#2}': '{0} 个文件 {1} {2}',
  'Nothing changed': '没有更改',
  '{#0} file changed, {#1} {#2}': '更改了 {0} 个文件，{1} {2}',
  '{#0} files changed, {#1} {#2}': '更改了 {0} 个文件，{1} {2}',
  '{0}; {#1} not tracked': '{0}；{1} 个未跟踪',

  '{#0} done': '{0} 个完成',
  '{#0} failed': '{0} 个失败',
  '{#0} stopped': '{0} 个已停止',
  '{#0} skipped': '{0} 个已跳过',
  '{#0} done, {1}': '{0} 个完成，{1}',
  '{#0} failed, {1}': '{0} 个失败，{1}',
  '{#0} stopped, {1}': '{0} 个已停止，{1}',

  '{0} and {#1} more': '{0} 等 {1} 项',
};
