import { describe, expect, it } from 'vitest';
import { planAfter } from '../../../src/compaction/ledger/plan-steps.ts';
import type { PlanStep } from '../../../src/compaction/messages/where-it-stands.ts';

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
  ])('is that of %s', (name, input) => {
    expect(planOf(name, input)).toEqual(steps);
  });

  it('changes step by step', () => {
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

  it('is empty after an empty list, and stays after any other call', () => {
    expect(planOf('TodoWrite', { todos: [] })).toEqual([]);
    expect(planOf('Task', { prompt: 'x' })).toBeUndefined();
    expect(planOf('TodoWrite', { todos: ['x'] })).toBeUndefined();
  });
});
