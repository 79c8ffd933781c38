import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { diffHtml } from '../../src/insights/export/record-export.ts';
import { sessionHtml } from '../../src/insights/export/session-export.ts';
import { englishWording } from '../../src/language/translated/wording.ts';
import { titleOfSession } from '../../src/presenters/import/session-title.ts';
import { sessionRow } from '../../src/presenters/sessions/session-row.ts';
import { sessionHead } from '../../src/transcripts/found-agents.ts';
import { titleOfTexts } from '../../src/transcripts/reading/typed-title.ts';
import { hostileRecord, hostileSession } from '../insights/export/hostile.ts';
import { lines } from '../support/agents/carriers.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { hiddenIn } from './support/answer-measures.ts';
import { documents, effectsOf } from './support/exported-effects.ts';
import { fault } from './support/fault.ts';

for (const [what, write] of Object.entries(documents)) {
  fault(
    `${what} exported as Markdown neither loads nor runs anything, and has no foreign section`,
    (count) => {
      const own = effectsOf(write('x')).join('\n');
      for (const { kind, text } of allInjectionTexts) {
        count.tried();
        const document = write(text);
        const effects = effectsOf(document).join('\n');
        const harm = hiddenIn(document) ?? (effects === own ? undefined : effects.slice(0, 300));
        if (harm !== undefined) count.harmed(`${kind}: ${JSON.stringify(text.slice(0, 80))}: ${harm}`);
      }
    },
  );
}

const pages: Readonly<Record<string, (text: string) => string>> = {
  'a session': (text) => sessionHtml(hostileSession(text)),
  'a compaction': (text) => diffHtml(hostileRecord(text), []),
};

for (const [what, write] of Object.entries(pages)) {
  fault(`${what} exported as a page has no foreign tag or attribute`, (count) => {
    const tagsOf = (page: string) => new Set(page.match(/<[^>]*>/gu));
    const own = tagsOf(write('```\nx\n```\nx'));
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const page = write(text);
      const added = [...tagsOf(page)].find((tag) => !own.has(tag));
      const harm = hiddenIn(page) ?? added;
      if (harm !== undefined) count.harmed(`${kind}: ${JSON.stringify(text.slice(0, 80))}: ${harm}`);
    }
  });
}

const session = {
  agent: 'claude-code',
  startedAt: 0,
  changedAt: 0,
  size: 1,
  isOfWorkspace: true,
  subAgents: [],
  usage: undefined,
} as const;

fault('titles and rows of sessions are one line each, without hidden characters', (count) => {
  for (const { kind, text } of allInjectionTexts) {
    const { title, model } = sessionHead(
      'claude-code',
      lines(
        { type: 'ai-title', aiTitle: text },
        { type: 'user', message: { role: 'user', content: text } },
        { type: 'assistant', message: { role: 'assistant', model: text, content: [] } },
      ),
    );
    const shown = titleOfTexts([title ?? '']);
    const found = { ...session, title: shown, path: `/a/${text}.jsonl`, workspace: `/b/${text}`, model };
    const row = sessionRow(found, { factsOf: factsOfModel, wording: englishWording, now: 0 });
    for (const name of [titleOfSession(found, englishWording), row.label, row.description, ...row.details]) {
      count.tried();
      const harm = hiddenIn(name) ?? (name.includes('\n') ? 'a second line' : undefined);
      if (harm !== undefined) count.harmed(`${kind}: ${JSON.stringify(text.slice(0, 80))}: ${harm}`);
    }
  }
});
