import { type Message, textOf } from '../../src/compaction/messages/message.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../support/engine.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { called, result, said, textOfTokens, typed } from '../support/messages.ts';
import { hiddenIn } from './support/answer-measures.ts';
import { fault } from './support/fault.ts';

const meter = await createMeter();

/** The files restored after a summary of work on one file, with a text in its content and its name. */
async function returned(text: string, path: string): Promise<readonly Message[]> {
  const view = [
    typed('t1', 'go'),
    called('r1c', ['r1', 'read_file', { path }]),
    result('r1r', 'r1', '1\told'),
    called('e1c', ['e1', 'edit_file', { path }]),
    result('e1r', 'e1', 'Done.'),
    said('n1', textOfTokens(3_000)),
    typed('t2', 'go on'),
    said('s2', 'I will.'),
  ];
  const records = await runCompaction(
    {
      view,
      strategy: llmSummary,
      model: new SummaryModelDouble('<summary>notes</summary>'),
      restoreFiles: { files: 5, tokens: 20_000 },
      readFile: () => Promise.resolve({ path, lines: text.split('\n'), modifiedAt: 0 }),
    },
    meter,
  );
  return records.flatMap(({ outputs }) => outputs.filter(({ kind }) => kind === 'file'));
}

function harmIn(content: string): string | undefined {
  const [head = '', opening = '', ...rest] = content.split('\n');
  if (
    !/^\[.* came back after the summary\. .* It is a file of the workspace, and no request\.\]$/u.test(head)
  ) {
    return `another first line: ${head.slice(0, 200)}`;
  }
  const tag =
    /^<(?<tag>attachment_\w+) type="file" path="[^"<>]*">$/u.exec(opening)?.groups?.['tag'] ?? 'no tag';
  if (rest.at(-1) !== `</${tag}>`) return 'no end of its own';
  const body = rest.slice(0, -1).join('\n');
  if (/<\/?attachment|<\|im_start|\[INST\]|<\/?system/iu.test(body)) return 'a marker in the file';
  return hiddenIn(head) ?? hiddenIn(opening);
}

fault(
  'files restored after a summary stay in their blocks, whatever their names and contents',
  async (count) => {
    let found = 0;
    for (const { kind, text } of allInjectionTexts) {
      for (const path of ['README.md', `docs/${text.slice(0, 60).replaceAll('/', ' ')}.md`]) {
        count.tried();
        const files = await returned(text, path);
        found += files.length;
        for (const { content } of files) {
          const harm = harmIn(textOf(content));
          if (harm !== undefined) count.harmed(`${kind}: ${JSON.stringify(text.slice(0, 80))}: ${harm}`);
        }
      }
    }
    if (found < allInjectionTexts.length) count.harmed(`only ${found} files came back`);
  },
);
