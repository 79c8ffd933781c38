import { beforeAll, describe, expect, it } from 'vitest';
import { createAttachments } from '../../../src/agent/attachments/attachments.ts';
import { largestPicture } from '../../../src/agent/attachments/picture.ts';
import type { PicturePorts } from '../../../src/agent/attachments/read-picture.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { bytesOf, pictures, pngOf } from '../../support/pictures.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const { signal } = new AbortController();
const kept = 'picture-0123456789';
const url = `data:image/png;base64,${pictures.png}`;

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

function attachmentsIn(folder: string | undefined, takesPictures?: boolean) {
  const sources: PicturePorts = {
    read: (name) => Promise.resolve(name === kept ? bytesOf(pictures.png) : undefined),
    model: () => ({ label: 'My model', takesPictures }),
  };
  return createAttachments(
    {
      workspace: folder === undefined ? undefined : new Workspace([folder]),
      openText: () => undefined,
      problems: { find: () => Promise.resolve([]) },
      commands: { environment: () => ({}) },
      pictures: sources,
      meter,
    },
    {
      size: async () => ({ tokens: 0, byKind: (await meter.measure([])).byKind }),
      budget: createBudget({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    },
  );
}

describe('a picture in a message', () => {
  it('follows the text, and its tokens are counted by the rule of the model', async () => {
    const { content, attached } = await attachmentsIn(undefined).attach(`See #${kept}.`, 'm1', signal);
    expect(content).toEqual([
      { type: 'text', text: `See #${kept}.` },
      { type: 'image_url', image_url: { url } },
    ]);
    expect(attached).toEqual({
      typedLength: `See #${kept}.`.length,
      items: [{ label: `#${kept}`, type: 'picture', tokens: 255, characters: 0 }],
    });
  });

  it('can be a file of the workspace, next to an attached text', async () => {
    await using workspace = await TemporaryWorkspace.create({
      'ui.png': bytesOf(pictures.png),
      'a.ts': 'text',
    });
    const attachments = attachmentsIn(workspace.path);
    const { content, attached } = await attachments.attach('@ui.png like @a.ts', 'm1', signal);
    expect(content).toEqual([
      { type: 'text', text: expect.stringContaining('1\ttext') as string },
      { type: 'image_url', image_url: { url } },
    ]);
    expect(attached?.items).toMatchObject([
      { label: '@a.ts', type: 'path' },
      { label: '@ui.png', type: 'picture', path: 'ui.png' },
    ]);
  });

  it('is sent once if it is named twice', async () => {
    const { content } = await attachmentsIn(undefined).attach(`#${kept} and #${kept}`, 'm1', signal);
    expect(content).toHaveLength(2);
  });

  it('takes as many tokens as announced', async () => {
    const attachments = attachmentsIn(undefined);
    const price = await attachments.price(`See #${kept}.`, signal);
    const { content } = await attachments.attach(`See #${kept}.`, 'm1', signal);
    const [usage] = await meter.measureEach([
      { id: 'm1', role: 'user', origin: 'person', createdAt: '', content },
    ]);
    expect(price.message).toBe(usage?.total);
    expect(price.pictures).toMatchObject([{ label: `#${kept}` }]);
  });
});

describe('a picture that cannot be sent', () => {
  it.each([
    ['if the model cannot see it', `#${kept}`, 'My model does not accept pictures. Choose a model that does'],
    ['if it is no longer stored', '#picture-aaaaaaaaaa', 'is no longer stored. Attach it again.'],
  ])('is refused with a reason and a remedy %s', async (_, text, problem) => {
    const found = await attachmentsIn(undefined, false).pictureProblem(text, signal);
    expect(found).toMatchObject({ english: expect.stringContaining(problem) as string });
  });

  it.each([
    ['a text named like a picture', 'not a picture', 'not a PNG, JPEG, GIF or WebP picture'],
    ['an SVG picture', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'not a PNG, JPEG, GIF or WebP picture'],
    ['a huge file', Buffer.alloc(largestPicture + 1), 'Attach a smaller one.'],
    ['a picture with too many pixels', pngOf(8001, 5), 'no side may be longer than 8,000'],
  ])('is refused with a reason if the workspace file is %s', async (_, file, problem) => {
    await using workspace = await TemporaryWorkspace.create({ 'docs/a.png': file });
    const found = await attachmentsIn(workspace.path).pictureProblem('See @docs/a.png', signal);
    expect(found).toMatchObject({ english: expect.stringContaining(problem) as string });
  });

  it('is no problem if the message only names a missing file', async () => {
    await using workspace = await TemporaryWorkspace.create({});
    expect(await attachmentsIn(workspace.path).pictureProblem('Make @docs/a.png', signal)).toBeUndefined();
  });

  it('has a problem instead of a price', async () => {
    const price = await attachmentsIn(undefined, false).price(`#${kept}`, signal);
    expect(price.attachments).toEqual([]);
    expect(price.problems).toHaveLength(1);
  });

  it('stays in a queued message, so that another model can see it', async () => {
    const { content } = await attachmentsIn(undefined, false).attach(`#${kept}`, 'm1', signal);
    expect(content).toHaveLength(2);
  });
});
