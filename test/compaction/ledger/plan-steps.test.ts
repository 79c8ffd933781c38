import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { planAfter } from '../../../src/compaction/ledger/plan-steps.ts';
import type { PlanStep } from '../../../src/compaction/messages/where-it-stands.ts';
import { stateLines } from '../../../src/compaction/ledger/state-lines.ts';
import { workState } from '../../../src/compaction/ledger/work-state.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const planOf = (name: string, input: unknown, plan: readonly PlanStep[] = [], result = '') =>
  planAfter(
    plan,
    { id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } },
    result,
  );

describe('the plan after a call', () => {
  const steps = [
    { text: 'Read', state: 'done' },
    { text: 'Write', state: 'in progress' },
    { text: 'Test', state: 'open' },
  ];

  it.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'Read', status: 'completed' },
          { content: 'Write', status: 'in_progress' },
          { content: 'Test', status: 'pending' },
        ],
      },
    ],
    [
      'update_plan',
      {
        plan: [
          { step: 'Read', status: 'completed' },
          { step: 'Write', status: 'in_progress' },
          { step: 'Test', status: 'pending' },
        ],
      },
    ],
    [
      'write_todos',
      {
        todos: [
          { description: 'Read', status: 'completed' },
          { description: 'Write', status: 'in_progress' },
          { description: 'Test', status: 'pending' },
        ],
      },
    ],
    [
      'manage_todo_list',
      {
        todoList: [
          { title: 'Read', status: 'completed' },
          { title: 'Write', status: 'in-progress' },
          { title: 'Test', status: 'not-started' },
        ],
      },
    ],
    ['update_todo_list', { todos: '[x] Read\n[-] Write\n[ ] Test' }],
    ['read_file', { path: 'a', task_progress: '- [x] Read\n- [-] Write\n- [ ] Test' }],
  ])('contains the steps that %s sets', (name, input) => {
    expect(planOf(name, input)).toEqual(steps);
  });

  it('can change one step at a time', () => {
    const created = planOf('TaskCreate', { subject: 'Read' }, [], 'Task #1 created successfully: Read');
    expect(created).toEqual([{ text: 'Read', state: 'open', id: '1' }]);
    expect(planOf('TaskUpdate', { taskId: '1', status: 'completed' }, created)).toEqual([
      { text: 'Read', state: 'done', id: '1' },
    ]);
    expect(
      planOf(
        'todo_write',
        { merge: true, todos: [{ id: '1', content: 'Read', status: 'completed' }] },
        created,
      ),
    ).toEqual([{ text: 'Read', state: 'done', id: '1' }]);
  });

  it('is empty after an empty list, and does not change after other calls', () => {
    expect(planOf('TodoWrite', { todos: [] })).toEqual([]);
    expect(planOf('Task', { prompt: 'x' })).toBeUndefined();
    expect(planOf('TodoWrite', { todos: ['x'] })).toBeUndefined();
  });
});

const plan = (id: string, ...steps: readonly (readonly [string, string])[]) => [
  called(id, [`c${id}`, 'TodoWrite', { todos: steps.map(([content, status]) => ({ content, status })) }]),
  result(`r${id}`, `c${id}`, 'ok'),
];

describe('the next steps', () => {
  it('are the open steps of the newest plan', () => {
    const { nextSteps } = extractLedger([
      ...plan('m1', ['Read the code', 'in_progress'], ['Mend it', 'pending']),
      ...plan('m2', ['Read the code', 'completed'], ['Mend it', 'in_progress'], ['Test it', 'pending']),
    ]);
    expect(nextSteps).toEqual(['Mend it', 'Test it']);
  });

  it('are read from a plan with a status that cannot be converted to text', () => {
    const odd = called('m1', [
      'c1',
      'TodoWrite',
      { todos: [{ content: 'Mend it', status: { toString: 3 } }] },
    ]);
    expect(extractLedger([odd, result('r1', 'c1', 'ok')]).nextSteps).toEqual(['Mend it']);
  });

  it('are empty if a reply only announces steps', () => {
    const text = 'Done. Next, I will run the suite.\n\n## Next steps\n1. Run the suite';
    expect(extractLedger([said('m1', text)]).nextSteps).toEqual([]);
  });
});

describe('an unchanged plan', () => {
  const asked = [typed('q', 'Mend it'), ...plan('p', ['Read', 'completed'], ['Mend', 'in_progress'])];
  const answer = [said('a', 'Read all of it.')];
  const commit = [
    called('g', ['cg', 'bash', { command: 'git commit -m x' }]),
    result('h', 'cg', '[main abc1234] x'),
  ];
  const more = [typed('w', 'More'), said('b', 'Done.')];
  const planLines = (...rest: Parameters<typeof workState>[0]) =>
    stateLines(workState([...asked, ...rest])).filter((line) => /^(?:Plan|In|Then)/u.test(line));

  it('is shown as current while the request is in progress', () => {
    expect(planLines()).toEqual(['Plan (of the assistant): 1 of 2 steps done', 'In progress: Mend']);
  });

  it('is shown with its age after an answer or a commit', () => {
    expect(planLines(...answer)[0]).toMatch(/ steps done, before the newest answer$/u);
    expect(planLines(...commit)).toEqual([
      'Plan (of the assistant): 1 of 2 steps done, as of 1 call ago, before the newest commit',
      'Then in progress: Mend',
    ]);
  });

  it.each([
    ['a commit and an answer', [...commit, ...answer]],
    ['two answers', [...answer, ...more]],
    ['an answer, if all steps were done', [...plan('d', ['Mend', 'completed']), ...answer]],
  ])('is no longer shown after %s', (_title, rest) => {
    expect(planLines(...rest)).toEqual([]);
    expect(extractLedger([...asked, ...rest]).nextSteps).toEqual([]);
  });
});
