import { textOf, type Message } from '../../src/compaction/messages/message.ts';
import { foldSpace } from '../../src/measures/view-text.ts';

/** A user's statement, and the later statement that replaces it. */
export interface Supersession {
  /** The first statement, and the value in it. */
  readonly first: string;
  readonly oldValue: string;
  readonly later: string;
  readonly newValue: string;
  /** True if the later statement calls the first one "that", as users do soon after the first one. */
  readonly isSoon?: true;
}

/** The presence of the old and the new value in a view. */
export interface SupersessionFate {
  /** True if the new value is in the view. */
  readonly isNewKept: boolean;
  /** True if the view shows the old value, and no text of the compaction reports that it was replaced. */
  readonly isStaleCurrent: boolean;
}

const turned = (first: string, oldValue: string, later: string, newValue: string): Supersession => ({
  first,
  oldValue,
  later,
  newValue,
});
const soon = (...texts: Parameters<typeof turned>): Supersession => ({ ...turned(...texts), isSoon: true });

/** Sentences that users could write: decisions, rules and values, each replaced once. */
export const supersessions: readonly Supersession[] = [
  turned('The staging port is 8080.', '8080', 'The staging port is 9191 now.', '9191'),
  soon("Let's use Redux for the state.", 'Redux', "On second thought, let's go with Zustand.", 'Zustand'),
  turned('Use Jest for the tests.', 'Jest for the tests', 'Use Vitest instead of Jest.', 'Vitest'),
  turned('The deadline is March 3.', 'March 3', 'The deadline has moved to March 17.', 'March 17'),
  turned('Report all sizes in kilobytes.', 'kilobytes', 'From now on, report all sizes in tokens.', 'tokens'),
  turned(
    'The release branch is rel/4.1.',
    'rel/4.1',
    'We rebased onto rel/4.2 for the release branch.',
    'rel/4.2',
  ),
  turned(
    'The project codename is HERON-7.',
    'HERON-7',
    'We are calling the project OSPREY-9 now.',
    'OSPREY-9',
  ),
  turned('Never deploy on Fridays.', 'Never deploy', 'You may deploy on Fridays from now on.', 'may deploy'),
  soon(
    'Plan: rewrite the importer in Rust.',
    'importer in Rust',
    'Scratch that. New plan: speed up the parser we have.',
    'speed up the parser',
  ),
  soon(
    'I think we should hire a contractor.',
    'hire a contractor',
    "Wait, let me revise. Let's train the team instead.",
    'train the team',
  ),
  turned('The budget for the launch is $400.', '$400', 'Update: the budget for the launch is $650.', '$650'),
  turned(
    'We decided to keep sessions in SQLite.',
    'SQLite',
    'Change of plan: keep sessions in plain files instead of SQLite.',
    'plain files',
  ),
  turned(
    'The default region is us-east-1.',
    'us-east-1',
    'Change the default region to eu-west-3.',
    'eu-west-3',
  ),
  turned('Always answer in English.', 'answer in English', 'From now on, always answer in German.', 'German'),
  turned('The minimum Node version is 18.', 'version is 18', 'The minimum Node version is 22 now.', '22'),
  soon(
    "For the queue, let's adopt RabbitMQ.",
    'adopt RabbitMQ',
    "Actually, scratch that. Let's use Postgres for the queue instead.",
    'Postgres',
  ),
];

const questions = [
  'How does the retry logic behave when a request times out?',
  'What did the smoke test print for the health endpoint?',
  'Can you explain how the cache headers are built for static files?',
  'Where does the importer read the encoding of a file?',
  'Why is the listing sorted twice in the search view?',
  'Which helper renders the table in the report?',
];
const answers = [
  'It waits twice as long after each failure, adds some jitter and gives up after the fifth try.',
  'It printed the build number, how long the service has been up and that all checks passed.',
  'The builder looks at the kind of file and how long it may be kept, and writes both into one header.',
  'Right at the beginning: it looks for a mark, and takes the usual encoding where there is none.',
  'The list is sorted by name when it is read and by relevance when it is shown.',
  'The one beside the page; it takes rows and headings and gives back markup.',
];
/** Number of turns of other talk before the first statement, between both statements, and after the second. */
const turnsOfTalk = 60;
const turnsSoon = 2;

/** A conversation with a statement, its later replacement, and other talk. */
export function conversationAbout({ first, later, isSoon }: Supersession): readonly Message[] {
  const texts: string[] = [];
  const talk = (turns: number): void => {
    for (let turn = 0; turn < turns; turn++) {
      const at = texts.length / 2;
      texts.push(`${questions[at % questions.length]!} (${at + 1})`, answers[at % answers.length]!);
    }
  };
  talk(turnsOfTalk);
  texts.push(first, 'Noted.');
  talk(isSoon === true ? turnsSoon : turnsOfTalk);
  texts.push(later, 'Noted.');
  talk(turnsOfTalk);
  return texts.map((content, index): Message => {
    const isPerson = index % 2 === 0;
    return {
      id: `m${index + 1}`,
      role: isPerson ? 'user' : 'assistant',
      origin: isPerson ? 'person' : 'model',
      createdAt: '2026-01-01T00:00:00.000Z',
      content,
    };
  });
}

/** Looks for both values in a view. */
export function fateOf(
  one: Supersession,
  conversation: readonly Message[],
  view: readonly Message[],
): SupersessionFate {
  const said = new Set(conversation.map(({ content }) => content));
  const written = view.filter(({ content }) => !said.has(content)).map(({ content }) => textOf(content));
  const isMarked = written.some((text) =>
    text
      .split('\n')
      .map(foldSpace)
      .some((line) => line.includes(one.oldValue) && line.includes(one.newValue) && line !== one.later),
  );
  const says = (value: string, except?: string) =>
    view.some(({ content }) => {
      const text = foldSpace(textOf(content));
      return text.includes(value) && text !== except;
    });
  return {
    isNewKept: says(one.newValue),
    // The replacement itself may name the old value: "use Vitest instead of Jest".
    isStaleCurrent: !isMarked && says(one.oldValue, one.later),
  };
}
