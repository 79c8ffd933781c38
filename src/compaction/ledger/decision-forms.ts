import type { SaidForm } from './said-form.ts';

/** Words that refer to an earlier sentence, without which the decision is unclear. */
const pronoun = '(?:it|that|this|them|those|these)(?:\\W*$| (?:for|to|and|as|now|then|instead|too)\\b)';

const forms: readonly Omit<SaidForm, 'kind'>[] = [
  {
    pattern: new RegExp(
      `^let['’]?s (?!.*\\bfirst\\W*$)(?!\\w+ (?:\\w+ )?${pronoun})(?:use|go (?:with|for)(?! an? (?:\\w+ )?(?:different|new|other)\\b)|stick (?:with|to)(?! the plan\\b)|stay with|choose|pick(?! up\\b)|adopt|settle on|switch (?:to|from|over to)|drop|ditch|scrap|call the|name|not (?:add|allow|break|build|change|commit|create|delete|hard-?code|have|implement|include|install|introduce|keep|make|merge|push|rely|remove|rename|show|store|support|touch|use)|keep (?!(?:it|this|that|them|things)\\b|\\w+ing\\b|work\\b|on\\b|an eye|in mind|what(?:ever)? you)|leave (?!it (?:here|there|at that)))\\b`,
      'iu',
    ),
    examples: ['Let’s go with Zustand.', 'let’s not support Windows'],
  },
  {
    pattern:
      /^(?:we(?:['’]ll| will|['’]re going to| are going to) (?:use|go with|stick (?:with|to)|keep|drop|adopt|stay with)|i(?:['’]ll| will) use (?!it\b|this\b|that\b)|(?:i(?:['’]ll|['’]d| would| will)|we(?:['’]re)|i['’]m)? ?(?:go|going) with)\b/iu,
    examples: ['We’ll use SQLite.', 'Go with B.', 'we are going to keep the monolith'],
  },
  {
    pattern:
      /^(?:we|i)(?:['’]ve| have)? (?:now |just |already |finally )?(?:decided|agreed|settled) (?:to|on|that|against|not|for)\b|^(?:we|i)(?:['’]ve| have)? (?:chose|chosen|opted for)\b|^(?:final )?(?:decision|scope): \S/iu,
    examples: ['We decided to keep the monolith.', 'I have settled on fsnotify.'],
  },
  {
    pattern:
      /^(?:(?:use|take|choose|pick|adopt)(?! (?:it|this|that|these|those)\b)|keep(?! on\b)|call it|name it|make it)\s.{1,80}?(?:\binstead\b|\brather than\b|,? (?:and )?not [`"']?[\w@/.-]+[`"']?$)/iu,
    examples: ['Use Vitest instead of Jest.'],
  },
  {
    isWhole: true,
    pattern:
      /^use (?:(?:port|version|branch|region|node|python) )?(?!(?:it|them|this|that|these|those|each|both|all)\b)[`"']?\w[\w@./+-]{1,40}[`"']?$/iu,
    examples: ['Use zod.'],
  },
  {
    pattern:
      /^(?:we(?:['’]ll| will)? (?:drop|ditch)|we (?:won['’]?t|will not|are not going to|aren['’]t going to|no longer) (?:need|use|support|do|add|keep|implement|ship)\b(?! (?:it|this|that|so)\b)|(?:drop|remove) support for|switch(?:ing)? (?:over )?from [\w@./+-]+ to |switch(?:ing)? (?:over )?to (?!it\b|this\b|that\b)[\w./+-]+ (?:for|because|instead of) )|\b(?:is|are) (?:out of scope|off the table|the (?:single )?source of truth)\b/iu,
    examples: ['We drop Windows.'],
  },
  {
    pattern: new RegExp(
      `^we (?:(?:do not|don['’]?t) (?:actually |really |even )?(?:want|need) (?!(?:to|all|it|this|that|these|those|them)\\b)|want (?:an? single|one|no) |(?:will|['’]ll) only )|^we['’]ll only |^i (?:do not|don['’]?t) want (?!.*\\b(?:now|yet)\\b)(?:to (?:use|add|have(?! to\\b)|support|depend|rely|introduce|maintain|keep)|an?|any|the)\\b|\\bno need (?:to (?:maintain|keep|support|preserve|handle)|for backwards?)\\b|^we (?:do not|don['’]?t) need to (?:maintain|support|preserve)\\b`,
      'iu',
    ),
    examples: ['We don’t need a migration script.'],
  },
  {
    pattern:
      /^(?:keep|leave) (?!(?:it|this|that|them|these|those|everything|all)\b).{1,60}?(?:\bas[- ]is\b|\bas (?:it is|they are|it was)\b|\balone\b|\bunchanged\b|\buntouched\b)/iu,
    examples: ['keep the old parser as is', 'leave the tests alone'],
  },
  {
    pattern:
      /^(?:wir (?:nehmen|verwenden|nutzen|benutzen|bleiben bei|lassen es|verzichten auf|haben (?:uns )?(?:für|gegen|entschieden|beschlossen))|ich (?:nehme|habe mich (?:für|gegen|entschieden))|lass(?:t)? uns .{1,60}\b(?:nehmen|verwenden|nutzen|benutzen|bleiben)|(?:nimm|verwende|nutze|benutze) .{1,60}\b(?:statt|anstatt|anstelle|stattdessen)|(?:nimm|dann|wir machen|mach) (?:option|variante) (?:\d|[a-f])\b(?!:)|variante (?:\d|[a-f])$|entscheidung: \S)/iu,
    examples: ['Wir nehmen Postgres.'],
  },
  {
    pattern:
      /^(?:我们?)?(?:最终|最后|已经)?(?:决定|选定|选择)(?:了|用|采用|使用|改|不)?|^(?:我们?|那|还是)?(?:就|都)?(?:改用|采用|用)(?!户|法|例|途|不了|来|于).{1,30}(?:吧|就行|就好|即可|代替|而不是|不(?:再)?用.{1,20})$|^(?:改用|就用|采用|换成)|不再(?:用|使用|支持)|^(?:就)?(?:选)?方案[A-Z一二三四\d](?:吧|$)/u,
    examples: ['我们决定用 MySQL。'],
  },
  {
    pattern:
      /^i(?:['’]d| would) rather (?:use|keep|have|go with|not)\b|^i(?:['’]d| would) like to (?:avoid using|go with|use(?! the same\b)|keep|choose|take)\b|^i(?:['’]d| would) like .{0,30}\boption \d/iu,
    examples: ['I’d like to go with the first flight.', 'I’d rather use one route for both.'],
  },
  {
    pattern:
      /^we want to (?:keep|use|stay|support|avoid|drop)\b|^(?:do not|don['’]?t) (?:use|keep) |^instead of .{1,60} (?:name|call|use|make|put|do|take)\b/iu,
    examples: ['We want to keep the variable since it is standard.'],
  },
  {
    pattern:
      /\bshould be (?:called|named) \S|\bshould be #[0-9a-f]{3,8}\b|^(?:use|set|make|change) .{0,60}#[0-9a-f]{6}\b/iu,
    examples: ['The class should be called Store.', 'The border should be #8abeb7'],
  },
  {
    isWhole: true,
    // The name of an element, and its colour.
    pattern:
      /^(?=.*\b(?:bg|background|fg|foreground|text|link|border|button|bullet|diff|accent|colou?r)\b)(?!i\b|we\b|it\b|you\b|.*\bis #)(?:\p{L}[\p{L}\d-]* ){0,6}\p{L}[\p{L}\d-]*(?:[:=]| is actually)? (?:#[0-9a-f]{6}|(?=[0-9a-f]*\d)[0-9a-f]{6})$|^#?(?=[0-9a-f]*\d)[0-9a-f]{6} is (?:what|the colou?r) [\p{L} ]{3,50}$/iu,
    examples: ['accent #8abeb7', 'Header background: #0B1024', 'user bg 343541'],
  },
];

export const decisionForms = forms.map((form): SaidForm => ({ kind: 'decision', ...form }));
