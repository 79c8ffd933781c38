import fs from 'node:fs';
import module from 'node:module';
import { basename, parse, resolve as absolutePath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { customSentences } from '../../language/english/custom-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Closes gaps in Node's permission model: the network, links out of the workspace, and ways around the two. */

/** Modules of Node that a strategy may import, in addition to the file modules. None reaches beyond the process. */
const modules: ReadonlySet<string> = new Set(
  `assert assert/strict buffer events path path/posix path/win32 querystring string_decoder
    timers timers/promises url util util/types`.split(/\s+/),
);
/** Permitted module formats. CommonJS would include Node's own loader. */
const formats: ReadonlySet<unknown> = new Set(['builtin', 'json', 'module', 'module-typescript']);

/** Permitted globals, in addition to the globals of the language. */
const globals = `AbortController AbortSignal Buffer DOMException Event EventTarget TextDecoder TextEncoder URL
  URLSearchParams atob btoa clearImmediate clearInterval clearTimeout console global performance process
  queueMicrotask setImmediate setInterval setTimeout structuredClone`.split(/\s+/);

/** Members of `process` that Node needs to run a program. They reveal only the type of the machine. */
const processMembers: ReadonlySet<PropertyKey> = new Set(
  `_events _eventsCount _exiting _fatalException _maxListeners _rawDebug _tickCallback arch config cwd domain
  emitWarning exit exitCode features hrtime memoryUsage nextTick noDeprecation permission platform reallyExit
  release setUncaughtExceptionCaptureCallback sourceMapsEnabled stderr stdout throwDeprecation title uptime
  version versions`.split(/\s+/),
);

/** True if this process has the permission model and module hooks. Older versions of Node lack them. */
export function canConfine(): boolean {
  const held = ['fs.write', 'child', 'worker', 'addon', 'wasi'];
  return (
    hasPermission !== undefined &&
    typeof module.registerHooks === 'function' &&
    !held.some((scope) => hasPermission(scope)) &&
    !hasPermission('fs.read', parse(process.cwd()).root)
  );
}

/** Confines all modules imported after this call. */
export function confine(): void {
  const languageGlobals = vm.runInNewContext('Object.getOwnPropertyNames(globalThis)') as readonly string[];
  offerFiles();
  confineModules();
  keepOnly(process, processMembers);
  Object.defineProperty(process, 'env', { value: {} });
  keepOnly(globalThis, new Set([...languageGlobals, ...globals]));
}

function confineModules(): void {
  module.registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.startsWith('file:')) {
        return { ...found, url: pathToFileURL(permittedPath(fileURLToPath(found.url))).href };
      }
      if (!found.url.startsWith('node:')) return found;
      const name = found.url.slice('node:'.length);
      if (fileModules.has(name)) return { url: `strategy:${name}`, format: 'module', shortCircuit: true };
      if (modules.has(name)) return found;
      throw new SentenceError(customSentences.say('cannotImport', { module: specifier }));
    },
    load(url, context, next) {
      const source = url.startsWith('strategy:') ? fileModules.get(url.slice('strategy:'.length)) : undefined;
      if (source !== undefined) return { format: 'module', source, shortCircuit: true };
      if (url.startsWith('file:')) permittedPath(fileURLToPath(url));
      const loaded = next(url, context);
      if (formats.has(loaded.format)) return loaded;
      throw new SentenceError(customSentences.say('wrongModuleFormat', { file: basename(url) }));
    },
  });
}

type Reading = (place: unknown, ...rest: readonly unknown[]) => unknown;

const callbackNames = ['readFile', 'readdir', 'stat'] as const;
const names = [...callbackNames, 'readFileSync', 'readdirSync', 'statSync'] as const;
/** Key under which the modules below find their functions. */
const filesKey = 'context-budget.files';

/** Replacements for Node's file modules, except for Node itself. They follow no link out of the permitted folders. */
const fileModules: ReadonlyMap<string, string> = new Map([
  ['fs', fileModule('fs', [...names, 'promises'])],
  ['fs/promises', fileModule('promises', callbackNames)],
]);

function fileModule(member: string, exported: readonly string[]): string {
  return `const files = globalThis[Symbol.for('${filesKey}')].${member};
    export default files;
    export const { ${exported.join(', ')} } = files;`;
}

function offerFiles(): void {
  const promises = reading(fs.promises, callbackNames);
  const value = { fs: { ...reading(fs, names), promises }, promises };
  Object.defineProperty(globalThis, Symbol.for(filesKey), { value });
}

function reading(source: object, members: readonly string[]): Readonly<Record<string, Reading>> {
  return Object.fromEntries(
    members.map((name) => {
      const read = Reflect.get(source, name) as Reading;
      return [name, (place: unknown, ...rest: readonly unknown[]) => read(permittedPath(place), ...rest)];
    }),
  );
}

// Saved before the strategy's code runs, because that code can change Node's own modules.
const { native: realPathOf } = fs.realpathSync;
const permission = process.permission as typeof process.permission | undefined;
const hasPermission = permission?.has.bind(permission);

function permittedPath(place: unknown): string {
  const given = place instanceof URL ? fileURLToPath(place) : place;
  if (typeof given !== 'string') throw new SentenceError(customSentences.say('noPath'));
  const absolute = absolutePath(given);
  refuseOutside(absolute);
  const real = realPathOf(absolute);
  refuseOutside(real);
  return real;
}

function refuseOutside(absolute: string): void {
  if (hasPermission?.('fs.read', absolute) !== true) {
    throw new SentenceError(customSentences.say('cannotReadOutside', { path: absolute }));
  }
}

/** Deletes the members that are not in `kept`, except symbols. */
function keepOnly(target: object, kept: ReadonlySet<PropertyKey>): void {
  for (const name of Object.getOwnPropertyNames(target)) {
    if (!kept.has(name)) Reflect.deleteProperty(target, name);
  }
}
