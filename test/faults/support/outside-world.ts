import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, copyFileSync, existsSync, openSync, readdirSync } from 'node:fs';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { perl, callNumbers, type WayOut } from './way-out.ts';
import type { RunnerJob } from './sandbox-runner.ts';

/** Files of the user and of other programs, all with the secret in them. */
const files = [
  ...['home/.ssh/id_ed25519', 'home/.bashrc', 'home/.npmrc', 'home/.netrc', 'home/.config/token'],
  ...['home/.config/Code/User/settings.json', 'storage/session.jsonl', 'note.txt'],
];
const runner = fileURLToPath(new URL('sandbox-runner.ts', import.meta.url));
/** Numbers of files that the editor has open and passes on. Node closes only the first ones. */
const [inherited, inheritedFolder] = [200, 201];

/** The world around a sandbox, as one user has it: files, processes and services that a command must not reach. */
export class OutsideWorld {
  /** A word in every file and every answer of a service. */
  private readonly secret = `secret-${randomUUID()}`;
  private readonly won = `won-${randomUUID()}`;
  private readonly name = `cb-${randomUUID()}`;
  private readonly base: string;
  private readonly owner: number;
  private readonly key = randomInt(1, 2 ** 31);
  private readonly processes: ChildProcess[] = [];
  private readonly servers: Server[] = [];
  private readonly values = new Map<string, string>();
  private datagrams: Socket | undefined;
  private heard = 0;
  private bystander!: ChildProcess;
  private editor!: ChildProcess;
  private answers!: AsyncIterator<string>;
  private before!: ReadonlyMap<string, string>;

  /** @returns the reason if this user cannot have a sandbox here */
  static async create(owner: number): Promise<OutsideWorld | string> {
    const world = new OutsideWorld(owner);
    const reason = await world.begin();
    if (reason === 'ready') return world;
    await world[Symbol.asyncDispose]();
    return reason;
  }

  private constructor(owner: number) {
    this.owner = owner;
    const temporary = tmpdir();
    // The test's own folders are for its user alone; another user has to get through.
    if (owner !== process.getuid?.()) for (const each of [path.dirname(temporary), temporary]) open(each);
    this.base = mkdtempSync(path.join(temporary, 'o-'));
    chmodSync(this.base, 0o755);
  }

  /** Tries a way out. @returns how it succeeded; undefined if it did not */
  async attempt(way: WayOut, where: RunnerJob['where']): Promise<string | undefined> {
    const heardBefore = this.heard;
    if (way.prepare !== undefined) await this.run(way.prepare, 'outside');
    const output = await this.run(way.command, where);
    const hows = [
      ...(output.includes(this.secret) ? ['shows the secret'] : []),
      // Not in a message that repeats the command.
      ...(new RegExp(`(?<!["' ])${this.won}`).test(output) ? ['says that it got out'] : []),
      ...(this.heard > heardBefore ? ['reached a service'] : []),
      ...(hasEnded(this.bystander) ? ['ended a process'] : []),
      ...this.changes(),
    ];
    if (hows.length === 0) return undefined;
    await this.restore();
    return hows.join(', ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const remains = `ipcrm -M ${this.key}; ${perl(`syscall(${callNumbers.mq_open + 1}, t("${this.name}"))`)}`;
    if (this.answers !== undefined && !hasEnded(this.editor)) await this.run(remains, 'outside');
    for (const each of this.processes) each.kill('SIGKILL');
    for (const each of this.servers) each.close();
    this.datagrams?.close();
    rmSync(`/dev/shm/${this.name}`, { force: true });
    rmSync(this.base, { recursive: true, force: true });
  }

  private async begin(): Promise<string> {
    for (const folder of ['home', 'workspace', 'storage', 'run', 'home/.gnupg', 'tmp']) this.folder(folder);
    await this.restore();
    await this.openServices();
    const home = this.at('home');
    const fill = { SECRET: this.secret, WON: this.won, NAME: this.name, HOMEDIR: home, BASE: this.base };
    const more = { STORAGE: this.at('storage'), WORKSPACE: this.at('workspace'), KEY: String(this.key) };
    const rest = { LENGTH: String(this.secret.length), ADDRESS: addressOfMachine() };
    for (const [name, value] of Object.entries({ ...fill, ...more, ...rest })) this.values.set(name, value);
    this.before = this.state();
    return this.startEditor();
  }

  /** A process like the extension host, which runs the commands, with open files and its own variables. */
  private async startEditor(): Promise<string> {
    const [file, folder] = [openSync(this.at('home/.bashrc'), 'r'), openSync(this.at('home'), 'r')];
    const stdio = Array.from({ length: inheritedFolder + 1 }, (): 'ignore' | 'pipe' | number => 'ignore');
    stdio.splice(0, 2, 'pipe', 'pipe');
    for (const each of [9, inherited]) stdio[each] = file;
    stdio[inheritedFolder] = folder;
    const args = ['--disable-warning=ExperimentalWarning', runner];
    this.editor = spawn(process.execPath, args, { ...this.asUser(), stdio });
    closeSync(file);
    closeSync(folder);
    this.processes.push(this.editor);
    const lines = createInterface({ input: this.editor.stdout! });
    this.answers = lines[Symbol.asyncIterator]() as AsyncIterator<string>;
    const { value, done } = await this.answers.next();
    return done === true
      ? 'the files of the project are not open to another user'
      : String(JSON.parse(value));
  }

  private asUser() {
    const isOther = this.owner !== process.getuid?.();
    return {
      env: this.environment,
      ...(isOther ? { uid: this.owner, gid: this.owner } : {}),
    };
  }

  private get environment() {
    return {
      PATH: ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(path.delimiter),
      HOME: this.at('home'),
      TMPDIR: this.at('tmp'),
      VSCODE_IPC_HOOK: this.at('editor.sock'),
      SSH_AUTH_SOCK: this.at('run/agent.sock'),
      XDG_RUNTIME_DIR: this.at('run'),
      TOKEN: randomUUID(),
    };
  }

  private async run(command: string, where: RunnerJob['where']): Promise<string> {
    const job: RunnerJob = {
      command: command.replace(/%([A-Z\d]+)%/g, (_all, name: string) => this.values.get(name)!),
      root: this.at('workspace'),
      where,
      environment: this.environment,
    };
    this.editor.stdin!.write(`${JSON.stringify(job)}\n`);
    const { value, done } = await this.answers.next();
    if (done === true) throw new Error(`The process that runs commands ended with: ${command}`);
    return JSON.parse(value) as string;
  }

  private async openServices(): Promise<void> {
    const sockets = [
      'editor.sock',
      'run/editor.sock',
      'run/agent.sock',
      'run/wayland-0',
      'workspace/service.sock',
    ];
    for (const name of [...sockets, 'home/.gnupg/S.gpg-agent']) {
      await this.listen({ path: this.at(name) });
      this.give(name);
    }
    for (const name of [`${this.name}-editor`, `/tmp/.X11-unix/${this.name}`])
      await this.listen({ path: `\0${name}` });
    const four = await this.listen({ port: 0, host: '0.0.0.0' });
    this.values.set('PORT', String((four.address() as AddressInfo).port));
    const six = await this.listen({ port: 0, host: '::1' }).catch(() => four);
    this.values.set('PORT6', String((six.address() as AddressInfo).port));
    this.datagrams = createSocket('udp4', () => this.heard++).bind(0, '0.0.0.0');
    await once(this.datagrams, 'listening');
    this.values.set('UDP', String(this.datagrams.address().port));
    const bus = `unix:path=${this.at('run/bus')}`;
    this.values.set('BUS', bus);
    const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address', `--address=${bus}`], {
      ...this.asUser(),
      stdio: ['ignore', 'pipe', 'ignore'],
    }).once('error', () => {});
    this.processes.push(daemon);
    // Its output ends if there is no such service.
    await Promise.race([once(daemon.stdout, 'data'), once(daemon, 'close')]);
  }

  private async listen(options: ListenOptions): Promise<Server> {
    const server = createServer((socket) => {
      this.heard++;
      socket.on('error', () => {}).end(`${this.secret}\n`);
    }).listen(options);
    await once(server, 'listening');
    this.servers.push(server);
    return server;
  }

  /** Restores the initial state. */
  private async restore(): Promise<void> {
    for (const name of readdirSync(this.at('workspace')))
      if (name !== 'service.sock') rmSync(path.join(this.at('workspace'), name), { recursive: true });
    symlinkSync(this.at('home'), this.at('workspace/to-home'));
    symlinkSync('/', this.at('workspace/to-root'));
    this.write('home/.git-credentials', `https://user:${this.secret}@example.test\n`);
    this.write('home/.gitconfig', `[user]\n\tsecret = ${this.secret}\n`);
    for (const name of files) this.write(name, `${this.secret}\n`);
    writeFileSync(`/dev/shm/${this.name}`, this.secret);
    chownSync(`/dev/shm/${this.name}`, this.owner, this.owner);
    if (process.getuid?.() === 0) {
      copyFileSync('/usr/bin/id', this.at('workspace/as-root'));
      chmodSync(this.at('workspace/as-root'), 0o4755);
    }
    if (this.bystander === undefined || hasEnded(this.bystander)) await this.startBystander();
    this.before = this.state();
  }

  private async startBystander(): Promise<void> {
    const script = 'exec 3<.bashrc; echo started; exec sleep 100000 >/dev/null';
    const child = spawn('/bin/sh', ['-c', script], {
      ...this.asUser(),
      env: { SECRET: this.secret },
      cwd: this.at('home'),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    this.bystander = child;
    this.processes.push(child);
    await once(child.stdout, 'data');
    this.values.set('PID', String(child.pid));
  }

  private changes(): readonly string[] {
    const after = this.state();
    const names = new Set([...this.before.keys(), ...after.keys()]);
    return [...names]
      .filter((name) => this.before.get(name) !== after.get(name))
      .map((name) => `changed ${name}`);
  }

  /** Everything outside the workspace, and files in it that would start with the rights of its owner. */
  private state(): ReadonlyMap<string, string> {
    // Our own temporary files appear and disappear there.
    const own = [this.at('home/.cache'), this.at('tmp')];
    const all = below(this.base, own).map((file) => path.relative(this.base, file));
    return new Map(
      all.flatMap((name): readonly (readonly [string, string])[] => {
        const found = lstatSync(this.at(name));
        const isInWorkspace = name.startsWith('workspace/');
        const rights = (found.mode & 0o6000) === 0 ? '' : ' with the rights of its owner';
        if (isInWorkspace && rights === '') return [];
        const text = found.isFile() && !isInWorkspace ? readFileSync(this.at(name), 'utf8') : '';
        return [[`${name}${rights}`, `${found.mode} ${found.uid} ${found.ino} ${text}`]];
      }),
    );
  }

  private folder(name: string): void {
    mkdirSync(this.at(name));
    this.give(name);
  }

  private write(name: string, text: string): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    // A file that a command made a link leads elsewhere.
    rmSync(this.at(name), { force: true });
    writeFileSync(this.at(name), text, { mode: 0o600 });
    this.give(name);
  }

  private give(name: string): void {
    for (let each = name; each !== '.'; each = path.dirname(each))
      if (existsSync(this.at(each))) chownSync(this.at(each), this.owner, this.owner);
  }

  private at(name: string): string {
    return path.join(this.base, name);
  }
}

function open(folder: string): void {
  chmodSync(folder, lstatSync(folder).mode | 0o001);
}

/** Everything in a folder except some places, without following links. */
function below(folder: string, without: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.join(folder, entry.name);
    if (without.includes(place)) return [];
    return entry.isDirectory() ? [place, ...below(place, without)] : [place];
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find((each) => each.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.1';
}
