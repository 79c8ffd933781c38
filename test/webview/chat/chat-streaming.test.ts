import { describe, expect, it } from 'vitest';
import type { AssistantRow, ChatRow } from '../../../src/protocol/chat-rows.ts';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
const answer: AssistantRow = { type: 'assistant', id: 'a1', markdown: '', reasoning: '', state: 'streaming' };

/** Sends texts as they come from a model, one change each. */
async function stream(view: ChatView, texts: readonly string[], firstRevision = 2): Promise<void> {
  for (const [index, text] of texts.entries()) {
    const changes = [{ type: 'text', id: 'a1', text }] as const;
    await view.notify({ type: 'changes', revision: firstRevision + index, changes });
  }
}

function finish(view: ChatView, markdown: string, revision: number): Promise<void> {
  return view.notify({
    type: 'changes',
    revision,
    changes: [
      { type: 'row', row: { ...answer, markdown, state: 'done' } },
      { type: 'state', state: { activity: 'idle' } },
    ],
  });
}

describe('a streamed answer', () => {
  it('grows as text arrives', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [answer], activity: 'streaming' }));
    await stream(view, ['The re', 'name runs ', '**before**', ' the close.']);
    await eventually(() => view.page.locator('.markdown').innerText()).toBe(
      'The rename runs before the close.',
    );
  });

  it('is drawn far less often than text arrives', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [answer], activity: 'streaming' }));
    const drawings = await view.page.evaluate(async () => {
      let count = 0;
      const observer = new MutationObserver(() => count++);
      observer.observe(document.querySelector('.markdown')!, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      for (let index = 0; index < 200; index++) {
        const changes = [{ type: 'text', id: 'a1', text: `word${index} ` }];
        const data = { type: 'changes', revision: index + 2, changes };
        window.dispatchEvent(new MessageEvent('message', { data }));
        await new Promise(requestAnimationFrame);
        if (document.querySelector('.markdown')!.textContent.includes('word60')) break;
      }
      return count;
    });
    expect(drawings).toBeLessThan(30);
    expect(drawings).toBeGreaterThan(1);
  });

  it('is not read out by a screen reader before it is complete', async () => {
    const view = await suite.open();
    const log = view.page.getByRole('log');
    await view.notify(snapshot({ rows: [answer], activity: 'streaming' }));
    await eventually(() => log.getAttribute('aria-busy')).toBe('true');
    await finish(view, 'Done.', 2);
    await eventually(() => log.getAttribute('aria-busy')).toBe('false');
  });

  it('keeps its finished blocks and a selection in them', async () => {
    const view = await suite.open();
    const first = 'The first paragraph.\n\n';
    await view.notify(snapshot({ rows: [{ ...answer, markdown: first }], activity: 'streaming' }));
    await view.page.evaluate(() => {
      const paragraph = document.querySelector('.markdown p')!;
      Object.assign(window, { paragraph });
      getSelection()!.selectAllChildren(paragraph);
    });
    const rest = ['And ', 'then ', '`code`', ' and **more**.\n\n', '- a\n', '- b\n'];
    await stream(view, rest);
    await finish(view, first + rest.join(''), rest.length + 2);
    await view.page.getByRole('listitem').nth(1).waitFor();
    expect(
      await view.page.evaluate(
        () => document.querySelector('.markdown p') === Reflect.get(window, 'paragraph'),
      ),
    ).toBe(true);
    expect(await view.page.evaluate(() => String(getSelection()))).toBe('The first paragraph.');
  });

  it('updates a growing code block in place', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [{ ...answer, markdown: '```ts\nconst a' }], activity: 'streaming' }));
    await view.page.locator('pre').evaluate((pre) => Object.assign(window, { pre }));
    await stream(view, [' = 1;\n', 'const b = 2;\n', '```\n']);
    await eventually(() => view.page.locator('pre').textContent()).toBe('const a = 1;\nconst b = 2;\n');
    expect(await view.page.evaluate(() => document.querySelector('pre') === Reflect.get(window, 'pre'))).toBe(
      true,
    );
  });

  it('has its links even if their destinations come last', async () => {
    const view = await suite.open();
    const text = 'See [the docs][1].\n\nMore.\n\n';
    await view.notify(snapshot({ rows: [{ ...answer, markdown: text }], activity: 'streaming' }));
    const definition = '[1]: https://example.com/docs\n';
    await stream(view, [definition]);
    await finish(view, text + definition, 3);
    await view.page.getByRole('link', { name: 'the docs' }).click();
    await view.expectPost({ type: 'open-link', url: 'https://example.com/docs' });
  });
});

describe('a missed change', () => {
  it('makes the view request the whole state and continue from there', async () => {
    const view = await suite.open();
    await view.notify(snapshot({ rows: [answer], activity: 'streaming' }));
    await stream(view, ['lost'], 3);
    await eventually(async () => (await view.posted('ready')).length).toBe(2);
    const whole = { ...answer, markdown: 'not ' } as const;
    await view.notify(snapshot({ rows: [whole], activity: 'streaming' }, 9));
    await stream(view, ['lost'], 10);
    await eventually(() => view.page.locator('.markdown').innerText()).toBe('not lost');
    expect(await view.posted('ready')).toHaveLength(2);
  });

  it('does not replace the elements of unchanged rows', async () => {
    const view = await suite.open();
    const rows: readonly ChatRow[] = [{ type: 'user', id: 'u1', text: 'Hello' }, answer];
    await view.notify(snapshot({ rows }));
    await view.page.locator('.user').evaluate((row) => Object.assign(window, { row }));
    await view.notify(snapshot({ rows: structuredClone(rows) }, 5));
    expect(
      await view.page.evaluate(() => document.querySelector('.user') === Reflect.get(window, 'row')),
    ).toBe(true);
  });
});

describe('a long conversation', () => {
  it('redraws only the growing row', async () => {
    const view = await suite.open();
    const rows: readonly ChatRow[] = [
      ...Array.from({ length: 1000 }, (_, index): ChatRow =>
        index % 2 === 0
          ? { type: 'user', id: `u${index}`, text: `Question ${index}` }
          : { ...answer, id: `d${index}`, markdown: `Answer **${index}**`, state: 'done' },
      ),
      answer,
    ];
    await view.notify(snapshot({ rows, activity: 'streaming' }));
    await eventually(() => view.page.locator('.row').count()).toBeGreaterThan(40);
    await view.resize({ width: 380 });
    await view.page.evaluate(() => {
      const elsewhere: string[] = [];
      const last = [...document.querySelectorAll('.row')].at(-1)!;
      const watch = new MutationObserver((changes) => {
        for (const { target } of changes) if (!last.contains(target)) elsewhere.push(target.nodeName);
      });
      watch.observe(document.querySelector('.log')!, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      Object.assign(window, { elsewhere, rows: [...document.querySelectorAll('.row')] });
    });
    await stream(
      view,
      Array.from({ length: 30 }, (_, index) => `word${index} `),
    );
    await eventually(() => view.page.locator('.row').last().innerText()).toContain('word29');
    const result = await view.page.evaluate(() => {
      const { elsewhere, rows: before } = window as unknown as { elsewhere: string[]; rows: Element[] };
      const after = [...document.querySelectorAll('.row')];
      return { elsewhere, isSame: after.every((row, index) => row === before[index]), count: after.length };
    });
    expect(result).toEqual({ elsewhere: [], isSame: true, count: expect.any(Number) as number });
  });
});
