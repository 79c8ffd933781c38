import { catalogue } from '../sentence.ts';

/** Sentences about custom strategies: why a strategy was not found, could not run, or broke the contract. */
export const customSentences = catalogue('custom', {
  named: '{name}: {problem}',
  answerOf: '{name}: the answer',
  none: 'none',

  // Missing strategies.
  invalidReference:
    'The setting contextBudget.strategies.custom must name a module and its export, "./path/file.mjs#ExportName", or a registered strategy, "publisher.extension/strategy-id". It is {given}.',
  noFolder: 'A module can be loaded only from an open, trusted folder.',
  outsideWorkspace: 'The file is outside the workspace, so it was not loaded.',
  noFile: 'There is no such file.',
  noExport: 'The module has no such export. It exports: {exports}.',
  notRegistered:
    'No installed extension has registered this strategy, or the extension has removed it again. Registered now: {ids}.',
  empty: 'empty',

  // Strategies that violate the contract.
  noFunction: 'The export is neither a class nor a function.',
  injectNoList: '"inject" must be a list of {ports}.',
  injectUnknown: '"inject" names {name}. The choices are {ports}.',
  noPlanMethod: 'The strategy has no method plan(input, ports, signal).',
  noModel: 'No model is available.',
  takesString: '{port} takes a string.',
  takesStrings: '{port} takes a list of strings.',
  notPlainData: 'The answer is not plain data. {problem}',
  ownMessage: 'The strategy sent a message that is not part of the contract.',
  messageTooLarge: 'A message may have at most {most} bytes; this one has {size}.',
  messageTooFull: 'A message may contain at most {most} values.',
  messageTooDeep: 'A message may be nested at most {most} levels deep.',

  // Strategies that exceed their limits.
  tookTooLong: 'The strategy took longer than {seconds} s.',
  computedTooLong: 'The strategy computed for more than {seconds} s.',
  tooMuchMemory: 'The strategy used more than {megabytes} MB of memory.',
  tooManyBytes: 'The strategy exchanged more than {most} bytes with Context Budget.',
  tooManyCalls: 'The strategy called its ports more than {most} times.',
  tooManyWaiting: 'More than {most} calls to ports are waiting for replies.',
  tooManyRequests: 'One plan may ask for at most {most} summaries and prompts.',
  tooManySearches: 'One plan may search at most {most} times.',

  // The process of strategies.
  cannotConfine: 'Node.js {version} cannot confine a custom strategy. Version 22.15 or later can.',
  starInFolder: 'A folder with * in its name cannot be confined: {folder}',
  processNotStarted: 'The process of the strategy could not be started: {reason}',
  processSignalled: 'The process ended before it answered ({signal}). It may have run out of memory.',
  processExited: 'The process ended before it answered (exit code {code}).',
  cannotImport: 'A custom strategy cannot import {module}.',
  wrongModuleFormat: 'A custom strategy can import only ES modules and JSON, not {file}.',
  noPath: 'A custom strategy can read a file only by its path.',
  cannotReadOutside: 'A custom strategy cannot read outside its workspace: {path}',
});
