import { textOfTokens } from '../support/messages.ts';
import type { RecordedRequest, ScriptedReply, ScriptedToolCall } from '../agent/openai/scripted-reply.ts';

/** A long session of a user and a model, with twelve facts at its beginning. */

export const turns = 100;

/** A fact of the first ten turns, and a question for it. */
export interface Marker {
  readonly what: string;
  readonly fact: string;
  readonly query: string;
}

export const markers: readonly Marker[] = [
  { what: 'rule that was typed', fact: 'port 48213', query: 'which port must never be used' },
  { what: 'decision', fact: 'sessions as JSON lines, not SQLite', query: 'decision how to store sessions' },
  { what: 'path of a file', fact: 'src/quartz/lattice-index.ts', query: 'lattice index file path' },
  { what: 'identifier', fact: 'computeHalyardChecksum', query: 'function for the halyard checksum' },
  { what: 'command', fact: 'meridian-check --strict', query: 'command that checked the meridian' },
  { what: 'exit code', fact: 'exit code 3', query: 'meridian-check exit code' },
  { what: 'error', fact: "reading 'zenithOffset'", query: 'TypeError zenith cannot read properties' },
  { what: 'version', fact: '4.19.2-rc7', query: 'version of tessellate-core' },
  { what: 'edited value', fact: 'retryBudget = 23', query: 'retryBudget new value edit' },
  { what: 'name that was typed', fact: 'feature/obsidian-fjord', query: 'name of the obsidian branch' },
  { what: 'hash in an output', fact: '9f3c1e77ab', query: 'commit bisect first bad commit hash' },
  { what: 'line of a long result', fact: 'drift 0.417 at gauge 88', query: 'gauge 88 drift measured' },
];

/** Lines of code that look like any others. */
function code(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) =>
      `export const ${name}${line} = (value: number) => value * ${line} + offset(${name}, ${line});`,
  ).join('\n');
}

/** Initial files of the workspace. */
export function storyFiles(): Readonly<Record<string, string>> {
  const modules = Array.from({ length: 20 }, (_, index) => [
    `src/module${index}.ts`,
    code(`module${index}x`, 40),
  ]);
  return {
    ...(Object.fromEntries(modules) as Record<string, string>),
    'src/quartz/lattice-index.ts': `${code('lattice', 20)}\nexport function computeHalyardChecksum() {}\n${code('after', 20)}`,
    'src/retry.ts': 'export const retryBudget = 17;\n',
    'lock.txt': 'left-pad 1.3.0\ntessellate-core 4.19.2-rc7\nzod 4.1.0\n',
    'gauges.log': Array.from(
      { length: 2_000 },
      (_, gauge) => `gauge ${gauge} calm${gauge === 88 ? '\nWARN drift 0.417 at gauge 88' : ''}`,
    ).join('\n'),
    'data/huge.json': JSON.stringify(Array.from({ length: 3_000 }, (_, id) => ({ id, name: `entry ${id}` }))),
  };
}

/** User message of a turn, counted from 1. */
export function typedIn(turn: number): string {
  const words: Readonly<Record<number, string>> = {
    1: 'Have a look at the project. Rule for everything you do here: never use port 48213.',
    7: 'All of this goes to the branch feature/obsidian-fjord, remember that.',
  };
  return `Turn ${turn}. ${words[turn] ?? `Please take care of item ${turn} of the list.`}`;
}

/** Model's part of a turn: the calls of each step, and its answer. */
function playedIn(turn: number): {
  readonly steps: readonly (readonly ScriptedToolCall[])[];
  readonly answer: string;
} {
  const planted: Readonly<Record<number, readonly (readonly ScriptedToolCall[])[]>> = {
    2: [[read('src/quartz/lattice-index.ts')]],
    3: [[command("echo 'meridian-check --strict: 2 deviations'; (exit 3)")]],
    4: [
      [command(`echo "TypeError: Cannot read properties of undefined (reading 'zenithOffset')" >&2; exit 1`)],
    ],
    5: [[read('lock.txt')]],
    6: [[read('src/retry.ts')], [edit('src/retry.ts', 'retryBudget = 17', 'retryBudget = 23')]],
    8: [[command("echo '9f3c1e77ab is the first bad commit'")]],
    9: [[read('gauges.log')]],
  };
  const answer =
    turn === 10
      ? 'Decided: we store sessions as JSON lines, not SQLite, because they are only ever appended to.'
      : `Item ${turn} is done. ${textOfTokens(60)}.`;
  return { steps: planted[turn] ?? ordinarySteps(turn), answer };
}

function ordinarySteps(turn: number): readonly (readonly ScriptedToolCall[])[] {
  const module = `src/module${turn % 20}.ts`;
  switch (turn % 6) {
    case 0:
      return [
        [read(module)],
        [edit(module, `module${turn % 20}x0 =`, `module${turn % 20}x0 = /* ${turn} */`)],
      ];
    case 1:
      return [[search(`module${turn % 20}x1`), read(module)]];
    case 2:
      return [[read(module), read(`src/module${(turn + 7) % 20}.ts`)], [search('module3x2')]];
    case 3:
      return [
        [command(`seq 1 ${200 + turn}; echo 'Error: suite ${turn} failed' >&2; exit ${turn % 3}`)],
        [read(module)],
      ];
    case 4:
      return [
        [{ name: 'list_directory', arguments: { path: 'src' } }],
        [{ name: 'find_files', arguments: { glob: '**/*.ts' } }],
      ];
    default:
      return turn % 5 === 0 ? [[read('data/huge.json')], [command('seq 1 20000')]] : [[read(module)]];
  }
}

const read = (path: string): ScriptedToolCall => ({ name: 'read_file', arguments: { path } });
const search = (pattern: string): ScriptedToolCall => ({ name: 'search_text', arguments: { pattern } });
const command = (line: string): ScriptedToolCall => ({ name: 'run_command', arguments: { command: line } });
const edit = (path: string, from: string, to: string): ScriptedToolCall => ({
  name: 'edit_file',
  arguments: { path, edits: [{ search: from, replace: to }] },
});

/** Plays the model by the newest typed message and the progress on it. */
export class StoryModel {
  private readonly taken = new Map<number, number>();
  /** Requests without a readable newest request of the user. */
  readonly lost: RecordedRequest[] = [];
  private turn = 0;

  /** @param turn that begins now */
  begin(turn: number): void {
    this.turn = turn;
  }

  answer(request: RecordedRequest): ScriptedReply {
    const newest = request.messages.findLast(
      ({ role, content }) => role === 'user' && typeof content === 'string' && /^Turn \d+\. /.test(content),
    );
    if (newest?.content !== typedIn(this.turn)) this.lost.push(request);
    const taken = this.taken.get(this.turn) ?? 0;
    this.taken.set(this.turn, taken + 1);
    const { steps, answer } = playedIn(this.turn);
    const calls = steps[taken];
    return calls === undefined ? { text: answer } : { toolCalls: withIds(calls, this.turn, taken) };
  }
}

function withIds(
  calls: readonly ScriptedToolCall[],
  turn: number,
  step: number,
): readonly ScriptedToolCall[] {
  return calls.map((call, index) => ({ ...call, id: `call_${turn}_${step}_${index}` }));
}
