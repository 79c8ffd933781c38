import { namedWords } from './checks.ts';
import { isThrowAway } from './path-words.ts';
import { innerWords, shellSteps, type ShellStep } from './shell-steps.ts';

/** A step of a command line with a lasting effect beyond the files that it names. */
interface LastingCommand {
  /** The step as written, preceded by the last change of folder. */
  readonly command: string;
  /** True if the success of the whole line proves the success of the step. */
  readonly isSure: boolean;
}

/** Names of scripts and targets that publish, deploy or install something, up to the first `:`, `-`, `_` or `.`. */
const scripts =
  '(?:install|publish|release|version|deploy|migrate|migrations?|seed|provision)(?:[:._-]\\S*)?';

/** Programs with the subcommands that install, publish, deploy, migrate or set something. */
const lasting = new RegExp(
  `^(?:${[
    '(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|remove|uninstall|update|up|upgrade|link|publish|version \\S+)',
    `(?:npm|pnpm|yarn|bun) (?:run|run-script) ${scripts}`,
    `(?:make|gmake|just|task|mise|rake|gradle|gradlew|mvn|mvnw|composer|poe|invoke|inv)(?: run)? ${scripts}`,
    '(?:pip|pip3|pipx|uv|poetry|pipenv|conda|mamba|gem|bundle|composer) (?:pip )?(?:add|install|sync|remove|uninstall|update|upgrade|publish|push|require)',
    '(?:brew|apt|apt-get|dnf|yum|apk) (?:add|install|reinstall|remove|del|uninstall|upgrade)',
    '(?:cargo|go|dotnet|mix|swift|deno) (?:add|get|install|remove|publish|nuget push|deps\\.get|hex\\.publish)',
    '(?:mise|asdf|rustup|pyenv|nvm|volta|sdk|nodenv|rbenv) (?:use|install|default|global|local|toolchain install|component add|target add)',
    'git (?:push|clone \\S+|tag \\S+|config \\S+ \\S+|remote (?:add|remove|rename|set-url)|worktree (?:add|remove)|submodule add|lfs (?:install|track))',
    'gh (?:pr|issue|release|repo|label|gist) (?:create|merge|close|reopen|edit|comment|review|ready|delete|upload|fork)',
    'gh (?:workflow (?:run|enable|disable)|run (?:rerun|cancel)|(?:secret|variable) (?:set|delete)|api \\S+)',
    'docker (?:push|compose (?:up|down|start|stop|restart))',
    'docker-compose (?:up|down|start|stop|restart)',
    'helm (?:install|upgrade|uninstall|rollback)',
    'kubectl (?:apply|create|delete|rollout|scale|set|patch)',
    '(?:terraform|tofu|pulumi|cdk|sam|serverless|sls) (?:apply|destroy|up|deploy|import)',
    '(?:vercel|netlify|fly|flyctl|wrangler|firebase|railway|heroku) (?:deploy|publish|up|secrets|config:set|addons:create)',
    '(?:ansible-playbook|rsync|scp|crontab) \\S+',
    '(?:systemctl|launchctl) (?:start|stop|restart|enable|disable|load|unload|bootstrap)',
    '(?:alembic|dbmate|goose|migrate|diesel|flyway|liquibase|knex|prisma|sequelize|typeorm|sqlx|drizzle-kit) \\S*(?:upgrade|downgrade|up|down|migrate|migration|db push|push|apply|update|latest|rollback)',
    '(?:rails|rake) db:\\S+',
    'manage\\.py (?:migrate|loaddata|createsuperuser)',
    '(?:twine upload|goreleaser release|vsce publish|ovsx publish|lerna publish|changeset publish|semantic-release)',
  ].join('|')})(?: |$)`,
  'u',
);
/** Arguments that make a program only report its planned effect or the present state. */
const onlyTells =
  /^(?:--dry-?run(?:=.*)?|--help|-h|--version|--list|--check|--contains|--points-at|--merged|--verify|--get(?:-\w+)*)$/u;
/** Arguments that make `gh api` send data. */
const sends = /^(?:-[fF]|--(?:raw-)?field|--input|POST|PUT|PATCH|DELETE)$/u;
const redirection = / (?:2>&1|[&12]?> ?\/dev\/null)$/u;

/**
 * Finds the steps of a command line that installed, published, deployed, migrated or set something. Excludes
 * checks, commits and changes of files, which are facts elsewhere, and steps in a temporary folder.
 */
export function lastingCommands(script: string): readonly LastingCommand[] {
  const steps = shellSteps(script) ?? [];
  return steps.flatMap((step, index): LastingCommand | readonly [] => {
    if (step.after === '||' || !isLasting(step)) return [];
    const change = steps.slice(0, index).findLast(({ words: [name = ''] }) => /^(?:cd|pushd)$/u.test(name));
    if ([...(change?.words ?? []), ...step.words].some(isThrowAway)) return [];
    const text = step.text.replace(redirection, '').replace(redirection, '');
    return {
      command: change === undefined ? text : `${change.text} && ${text}`,
      isSure: steps.slice(index + 1).every(({ after }) => after === '&&'),
    };
  });
}

function isLasting({ words }: ShellStep): boolean {
  const [program = '', ...rest] = innerWords(words);
  if (rest.some((word) => onlyTells.test(word)) || (program === 'git' && rest.includes('-l'))) return false;
  const named = namedWords(rest);
  const isScript = /^python[\d.]*$/u.test(program) && /(?:^|\/)manage\.py$/u.test(named[0] ?? '');
  const called = isScript ? ['manage.py', ...named.slice(1)] : [program, ...named];
  if (program === 'gh' && named[0] === 'api')
    return named[1] !== 'graphql' && rest.some((word) => sends.test(word));
  return lasting.test(called.join(' ')) || called.join(' ') === 'yarn';
}
