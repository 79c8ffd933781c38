import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  count,
  flag,
  fromHost,
  id,
  ifValid,
  listOf,
  objectWith,
  oneOf,
  optional,
  text,
} from '../../src/protocol/field-guards.ts';
import {
  dispatch,
  forwarded,
  type Handlers,
  type MessageOf,
  messages,
  parseMessage,
} from '../../src/protocol/messages.ts';

const sample = messages({
  close: {},
  pin: { messageId: id, isPinned: flag },
  search: { query: text, side: ifValid(oneOf(['left', 'right'])), most: optional(count) },
});

describe('parseMessage', () => {
  it.each([
    { type: 'close' },
    { type: 'pin', messageId: 'm1', isPinned: false },
    { type: 'search', query: 'lock', side: 'left', most: 0 },
  ])('builds a message only from the declared fields: $type', (message) => {
    expect(parseMessage(sample, { ...message, other: 1 })).toEqual(message);
  });

  it('omits an invalid field or refuses the message, depending on the field', () => {
    const message = { type: 'search', query: 'lock' };
    expect(parseMessage(sample, { ...message, side: 'top' })).toEqual(message);
    expect(parseMessage(sample, { ...message, most: -1 })).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    'close',
    [],
    {},
    { type: 1 },
    { type: 'open' },
    { type: 'toString' },
    { type: '__proto__' },
    { type: 'pin', messageId: 'm1' },
    { type: 'pin', messageId: 'x'.repeat(1_001), isPinned: true },
  ])('refuses any other value: %j', (value) => {
    expect(parseMessage(sample, value)).toBeUndefined();
  });

  it('checks each item of lists and objects', () => {
    const table = messages({
      pick: { ids: listOf(id, 2), filter: objectWith({ text, deep: ifValid(flag) }) },
    });
    const pick = { type: 'pick', ids: ['a', 'b'], filter: { text: '' } };
    expect(parseMessage(table, { ...pick, filter: { text: '', deep: 3, more: 1 } })).toEqual(pick);
    expect(parseMessage(table, { ...pick, ids: ['a', 'b', 'c'] })).toBeUndefined();
    expect(parseMessage(table, { ...pick, ids: ['a', 2] })).toBeUndefined();
    expect(parseMessage(table, { ...pick, filter: null })).toBeUndefined();
  });

  it('does not check fields that only the extension sends', () => {
    const state = { rows: [1, 2] };
    const table = messages({ snapshot: { state: fromHost<typeof state>() } });
    expect(parseMessage(table, { type: 'snapshot', state })?.state).toBe(state);
    expect(parseMessage(table, { type: 'snapshot' })).toBeUndefined();
  });
});

describe('handlers', () => {
  it('are called by the type of the message, with all other arguments', () => {
    const pin = vi.fn<(message: MessageOf<typeof sample, 'pin'>, session: string) => number>(() => 2);
    const handlers: Handlers<typeof sample, number, [string]> = { close: () => 1, pin, search: () => 3 };
    const message = { type: 'pin', messageId: 'm1', isPinned: true } as const;
    expect(dispatch(handlers, message, 's1')).toBe(2);
    expect(pin).toHaveBeenCalledWith(message, 's1');
  });

  it('can be a single function', () => {
    const handle = vi.fn<(message: MessageOf<typeof sample>) => void>();
    const handlers = forwarded(sample, handle);
    expect(Object.keys(handlers)).toEqual(Object.keys(sample));
    dispatch(handlers, { type: 'close' });
    expect(handle).toHaveBeenCalledWith({ type: 'close' });
  });

  it('receive the fields of their message as types', () => {
    expectTypeOf<MessageOf<typeof sample, 'pin'>>().toEqualTypeOf<{
      readonly type: 'pin';
      readonly messageId: string;
      readonly isPinned: boolean;
    }>();
    expectTypeOf<MessageOf<typeof sample>['type']>().toEqualTypeOf<'close' | 'pin' | 'search'>();
  });
});

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The compiler's output for a small file in this folder: the first line of each error. */
function problemsOf(sources: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, composite: false, noUnusedLocals: false, noEmit: true },
    root,
  );
  const files = new Map(
    Object.entries(sources).map(([name, source]) => [`${root}test/protocol/${name}.sample.ts`, source]),
  );
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    const source = files.get(path);
    return source === undefined
      ? getSourceFile(path, target, ...rest)
      : ts.createSourceFile(path, `${imports}${source}`, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files.keys()].map((path, index) => [
      Object.keys(sources)[index] ?? '',
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? ''),
    ]),
  );
}

const imports = `
import { chatNotifications, chatRequests } from '../../src/protocol/chat.ts';
import { inspectorNotifications, inspectorRequests } from '../../src/protocol/inspector.ts';
import { flag, id } from '../../src/protocol/field-guards.ts';
import { dispatch, type Handlers, type MessageOf, messages } from '../../src/protocol/messages.ts';
export const tables = [chatNotifications, chatRequests, inspectorNotifications, inspectorRequests];
export const used = [dispatch, flag, id, messages];
const table = messages({ close: {}, pin: { messageId: id, isPinned: flag } });
export type Each = MessageOf<typeof table>;
`;

describe('the compiler', () => {
  const everyHandler = 'close: () => {}, pin: ({ messageId, isPinned }) => void [messageId, isPinned]';
  const whole = (name: string) => `export const missing = (all: Handlers<typeof ${name}>): Handlers<
    typeof ${name} & { 'star-row': { messageId: typeof id } }> => all;`;
  const problems = problemsOf({
    right: `export const handlers: Handlers<typeof table> = { ${everyHandler} };
      dispatch(handlers, { type: 'pin', messageId: 'm1', isPinned: true });`,
    'a message without a handler': `export const handlers: Handlers<typeof table> = { close: () => {} };`,
    'a handler without a message': `export const handlers: Handlers<typeof table> = { ${everyHandler}, open: () => {} };`,
    'a field without a guard': `export const more = messages({ star: { messageId: 'string' } });`,
    'a guard whose type is too wide': `export const more = messages({ star: { messageId: (value: unknown) => value === 'm1' } });
      export const message: MessageOf<typeof more> = { type: 'star', messageId: 'm1' };`,
    'a field that the message does not have': `export const message: Each = { type: 'pin', messageId: 'm1', pinned: true };`,
    'a new request of the chat without a handler': whole('chatRequests'),
    'a new notification of the chat without a handler': whole('chatNotifications'),
    'a new request of the inspector without a handler': whole('inspectorRequests'),
    'a new notification of the inspector without a handler': whole('inspectorNotifications'),
  });

  it('accepts tables, handlers and messages that match', () => {
    expect(problems.get('right')).toEqual([]);
  });

  it.each([
    ['a message without a handler', /'pin' is missing/u],
    ['a handler without a message', /'open' does not exist/u],
    ['a field without a guard', /Type 'string' is not assignable/u],
    ['a guard whose type is too wide', /Type 'string' is not assignable to type 'boolean/u],
    ['a field that the message does not have', /'pinned' does not exist/u],
    ['a new request of the chat without a handler', /'star-row'+ is missing/u],
    ['a new notification of the chat without a handler', /'star-row'+ is missing/u],
    ['a new request of the inspector without a handler', /'star-row'+ is missing/u],
    ['a new notification of the inspector without a handler', /'star-row'+ is missing/u],
  ])('refuses %s', (name, problem) => {
    expect(problems.get(name)).toEqual([expect.stringMatching(problem)]);
  });
});
