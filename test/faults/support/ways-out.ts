import { callNumbers, perl, reaches, type WayOut } from './way-out.ts';

const say = 'echo %WON%';
const shows = (file: string) => `cat ${file}`;
/** Connects to a socket, which answers with the canary. */
const connects = (address: string, family = 'AF_UNIX') =>
  perl(`socket($s, ${family}, SOCK_STREAM, 0) or die $!; connect($s, ${address}) or die $!; print <$s>`);
const unix = (file: string) => connects(`pack_sockaddr_un("${file}")`);
const tcp = (address: string) => connects(`pack_sockaddr_in(%PORT%, inet_aton("${address}"))`, 'AF_INET');

const files: readonly WayOut[] = [
  { name: 'a key in the home folder', command: shows('%HOMEDIR%/.ssh/id_ed25519') },
  { name: 'the home folder by its sign', command: shows('~/.bashrc') },
  { name: 'chats of other folders', command: shows('%STORAGE%/session.jsonl') },
  { name: "the editor's settings", command: 'grep -r %SECRET% %HOMEDIR%/.config' },
  {
    name: "Git's stored passwords",
    command: `printf 'protocol=https\\nhost=example.test\\n\\n' | git -c credential.helper=store credential fill`,
  },
  { name: "Git's settings of the user", command: 'git config --global --get user.secret' },
  { name: 'tokens of registries', command: shows('~/.npmrc ~/.netrc ~/.config/token') },
  { name: 'a hard link', command: 'ln %HOMEDIR%/.bashrc hard && cat hard' },
  {
    name: 'a hard link by descriptor',
    command: 'ln -L /proc/self/fd/9 hard 9<%HOMEDIR%/.bashrc && cat hard',
  },
  { name: 'a symbolic link that was there', command: shows('to-home/.bashrc') },
  { name: 'a symbolic link of its own', command: 'ln -s %HOMEDIR% mine; cat mine/.bashrc' },
  { name: 'a link to the root', command: shows('to-root/%HOMEDIR%/.bashrc') },
  { name: 'parents of the workspace', command: 'cat ../home/.bashrc; cat "$PWD/../home/.bashrc"' },
  { name: 'parents by the working directory of a process', command: shows('/proc/self/cwd/../home/.bashrc') },
  { name: 'files in the temporary folder', command: shows('%BASE%/note.txt') },
  {
    name: 'searching everything',
    command: 'grep -rs %SECRET% %BASE% /home /root /srv /mnt /media',
    isHarmful: true,
  },
  { name: 'writing into the home folder', command: 'echo x >> %HOMEDIR%/.bashrc' },
  { name: 'replacing chats of other folders', command: 'rm -f %STORAGE%/session.jsonl' },
  { name: 'passwords of the system', command: `head -c1 /etc/shadow | grep -q . && ${say}` },
  { name: 'passwords of groups', command: `cat /etc/gshadow /etc/shadow- | grep -q . && ${say}` },
  {
    name: 'any file that is not for everyone',
    command: `find /etc /opt /usr/local -type f ! -perm -4 -readable 2>/dev/null | head -1 | xargs -r cat | grep -q . && ${say}`,
  },
  {
    name: 'private keys of the system',
    command: `find /etc -mindepth 1 -type d ! -perm -5 -exec ls -A {} + 2>/dev/null | grep -q '^[^/]' && ${say}`,
  },
  { name: 'the home folder of root', command: `ls -A /root | grep -q . && ${say}` },
  {
    name: 'logs and data of services',
    command: `ls -A /var/log /var/lib/systemd /var/mail /srv 2>/dev/null | grep -q '^[^/]' && ${say}`,
  },
  { name: 'jobs of cron and at', command: `ls -d /var/spool/cron && ${say}; echo true | at now && ${say}` },
  { name: 'a job of its own', command: `test -w /etc/cron.d -o -w /etc/crontab && ${say}` },
  {
    name: 'a library for all programs',
    command: `test -w /etc/ld.so.preload -o -w /etc -o -w /usr/lib && ${say}`,
  },
];

const processes: readonly WayOut[] = [
  { name: 'the environment of a process', command: `tr '\\0' '\\n' < /proc/%PID%/environ` },
  {
    name: 'the environment of every process',
    command: `cat /proc/*/environ | tr '\\0' '\\n' | grep -qa ^TOKEN= && ${say}`,
  },
  { name: "the editor's environment", command: `env | grep -q ^TOKEN= && ${say}` },
  {
    name: 'the environment of the first process',
    command: `tr '\\0' '\\n' < /proc/1/environ | grep -qa ^TOKEN= && ${say}`,
  },
  { name: 'open files of a process', command: shows('/proc/%PID%/fd/3') },
  { name: 'the root of a process', command: shows('/proc/%PID%/root/%HOMEDIR%/.bashrc') },
  { name: 'the working directory of a process', command: shows('/proc/%PID%/cwd/.bashrc') },
  { name: 'the memory of a process', command: `: < /proc/%PID%/mem && ${say}` },
  {
    name: 'the root of the first process',
    command: shows('/proc/1/root/%HOMEDIR%/.bashrc /proc/1/cwd/../home/.bashrc'),
  },
  {
    name: "the machine's program of the first process",
    command: `chmod 755 /proc/1/exe && ${say}; touch /proc/1/exe && ${say}`,
    isHarmful: true,
  },
  {
    name: "writing into the first process's program",
    command: `exec 7>>/proc/1/exe && ${say}`,
    isHarmful: true,
  },
  {
    name: 'writing into the program of the shell',
    command: `chmod 755 /proc/self/exe /proc/$PPID/exe && ${say}`,
  },
  { name: 'ending a process', command: 'kill -9 %PID%; kill -9 -%PID%', isHarmful: true },
  { name: 'seeing a process', command: `kill -0 %PID% && ${say}` },
  { name: 'ending all processes of the user', command: 'kill -9 -1', isHarmful: true },
  {
    name: 'tracing a process',
    command: perl(`print "%WON%" if syscall(${callNumbers.ptrace}, 0x4206, %PID%, 0, 0) == 0`),
  },
  { name: 'a debugger', command: `gdb -p %PID% -batch 2>&1 | grep -q 'Inferior 1' && ${say}` },
  {
    name: 'memory by call',
    command: perl(
      `$b = " " x 8; $l = pack("QQ", unpack("Q", pack("P", $b)), 8); $r = syscall(${callNumbers.process_vm_readv}, %PID%, $l, 1, $l, 1, 0); print "%WON%" if $r > 0 or $!{EFAULT}`,
    ),
  },
  {
    name: 'a descriptor of a process',
    command: perl(`print "%WON%" if syscall(${callNumbers.pidfd_open}, %PID%, 0) >= 0`),
  },
  { name: 'limits of a process', command: `prlimit --pid %PID% --nofile && ${say}` },
  { name: 'the pace of a process', command: `renice -n 5 -p %PID% && ${say}` },
  {
    name: 'namespaces of a process',
    command: `nsenter -t %PID% -m cat %HOMEDIR%/.bashrc; nsenter --mount=/proc/1/ns/mnt cat %HOMEDIR%/.bashrc`,
  },
  { name: 'open files of the editor, by descriptor', command: 'cat <&9; cat <&200' },
  {
    name: 'open files of the editor, of any process',
    command: 'timeout 5 cat /proc/*/fd/[5-9] /proc/*/fd/[1-9][0-9]*',
    isHarmful: true,
  },
  { name: 'a folder the editor has open', command: 'cat /proc/self/fd/201/.bashrc' },
];

const kernel: readonly WayOut[] = [
  {
    name: "keys in the kernel's keyrings",
    prepare: perl(
      `$k = syscall(${callNumbers.add_key}, t("user"), t("%NAME%"), t("%SECRET%"), %LENGTH%, -4); syscall(${callNumbers.keyctl}, 15, $k, 600)`,
    ),
    command: perl(
      `syscall(${callNumbers.keyctl}, 8, -4, -3); $k = syscall(${callNumbers.keyctl}, 10, -4, t("user"), t("%NAME%"), 0); $b = " " x 200; syscall(${callNumbers.keyctl}, 11, $k, $b, 200); print $b`,
    ),
  },
  {
    name: 'asking for a key',
    command: reaches('request_key', '"user", "no-such-%NAME%", "x", 0'),
  },
  { name: 'names of keys', command: `grep -q . /proc/keys && ${say}` },
  { name: 'a user namespace', command: `unshare -U true && ${say}` },
  {
    name: 'a user namespace with all rights',
    command: `unshare -Urm sh -c "umount -l %HOMEDIR%; cat %HOMEDIR%/.bashrc; ${say}"`,
  },
  {
    name: 'other namespaces',
    command: `unshare -m true && ${say}; unshare -n true && ${say}; unshare -T true && ${say}`,
  },
  {
    name: 'a process in namespaces',
    command: perl(
      `$a = pack("Q11", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); $r = syscall(${callNumbers.clone3}, $a, 88); exit if $r == 0; print "%WON%" if $r > 0`,
    ),
  },
  { name: 'a mount', command: `mount -t tmpfs x /mnt && umount /mnt && ${say}`, isHarmful: true },
  { name: 'a mount by call', command: reaches('mount', '"x", "/nowhere", "tmpfs", 0, 0') },
  {
    name: 'a writable mount',
    command: `mount -o remount,rw /usr && ${say}; mount -o remount,rw / && ${say}`,
    isHarmful: true,
  },
  {
    name: 'taking away what covers',
    command: `umount -l /etc/shadow; umount -l %HOMEDIR%; cat %HOMEDIR%/.bashrc; head -c1 /etc/shadow | grep -q . && ${say}`,
    isHarmful: true,
  },
  { name: 'a copy of a mount', command: reaches('open_tree', '-100, "/", 1') },
  { name: 'a file system by call', command: reaches('fsopen', '"tmpfs", 0') },
  { name: 'attributes of a mount', command: reaches('mount_setattr', '-100, "/nowhere", 0, 0, 0') },
  { name: 'another root', command: `chroot / true && ${say}` },
  { name: 'exchanging the root', command: reaches('pivot_root', '"/nowhere", "/nowhere"') },
  { name: 'files by handle', command: reaches('open_by_handle_at', '-1, "x" x 64, 0') },
  { name: 'device files', command: `mknod disk b 254 0 && ${say}; mknod memory c 1 1 && ${say}` },
  {
    name: 'devices',
    command: `ls /dev | grep -vxE 'core|fd|full|null|ptmx|pts|random|shm|std(in|out|err)|tty|urandom|zero|console' | grep -q . && ${say}`,
  },
  {
    name: 'typing into a terminal',
    command: perl(
      'open($t, "+<", "/dev/ptmx") or die; print "%WON%" if ioctl($t, 0x5412, "x") or $!{EFAULT}',
    ),
  },
  { name: "typing into the editor's terminal", command: `: > /dev/tty && ${say}` },
  { name: 'io_uring', command: reaches('io_uring_setup', '1, 0') },
  { name: 'programs in the kernel', command: reaches('bpf', '0, 0, 0') },
  { name: 'performance events', command: reaches('perf_event_open', '0, 0, -1, -1, 0') },
  { name: 'page faults', command: reaches('userfaultfd', '0') },
  { name: 'another kernel', command: reaches('kexec_load', '0, 0, 0, 0x80000000'), isHarmful: true },
  { name: 'a module of the kernel', command: reaches('init_module', '"x", 1, ""') },
  { name: 'messages of the kernel', command: `dmesg | grep -q . && ${say}` },
  {
    name: 'memory and addresses of the kernel',
    command: `head -c1 /proc/kcore | grep -q . && ${say}; grep -qv '^0* ' /proc/kallsyms && ${say}; grep -q . /proc/vmallocinfo && ${say}`,
  },
  {
    name: 'where the kernel dumps processes',
    command: `echo x > /proc/sys/kernel/core_pattern && ${say}`,
    isHarmful: true,
  },
  { name: 'keys of emergency', command: `test -w /proc/sysrq-trigger && ${say}` },
  {
    name: 'settings of the kernel',
    command: `find /proc/sys -type f -writable 2>/dev/null | head -1 | grep -q . && test -w /proc/sys/kernel/hostname && echo x > /proc/sys/kernel/domainname && ${say}`,
    isHarmful: true,
  },
  {
    name: 'files of devices',
    command: `find /sys -type f -writable 2>/dev/null | head -1 | grep -q . && ${say}`,
  },
  {
    name: 'traces of the kernel',
    command: `ls -A /sys/kernel/debug /sys/kernel/tracing /sys/kernel/security /sys/fs/bpf 2>/dev/null | grep -q '^[^/]' && ${say}`,
  },
  {
    name: 'groups of processes',
    command: `mkdir /sys/fs/cgroup/%NAME% && ${say}; test -w /sys/fs/cgroup/cgroup.procs && ${say}`,
    isHarmful: true,
  },
  { name: 'the name of the machine', command: `hostname x && ${say}`, isHarmful: true },
  { name: 'the clock', command: `date -s @1 && ${say}`, isHarmful: true },
  {
    name: 'rights that are left',
    command: perl(
      'open(F, "/proc/self/status"); while (<F>) { print "%WON%" if /^CapEff:\\s*(\\S+)/ and hex($1) & ~0xb }',
    ),
  },
  {
    name: 'programs of another table of calls',
    command: perl('print "%WON%" if syscall(0x40000000 | 39) > 0'),
  },
];

const services: readonly WayOut[] = [
  { name: "the editor's socket in the temporary folder", command: unix('%BASE%/editor.sock') },
  { name: 'a socket in the folder of the session', command: unix('%BASE%/run/editor.sock') },
  {
    name: 'a socket of the agent of SSH',
    command: `test -n "$SSH_AUTH_SOCK" && ${unix('%BASE%/run/agent.sock')}; ${unix('%BASE%/run/agent.sock')}`,
  },
  { name: 'a socket of the agent of GPG', command: unix('%HOMEDIR%/.gnupg/S.gpg-agent') },
  { name: 'a socket of the display', command: unix('%BASE%/run/wayland-0') },
  { name: 'a socket in the workspace', command: unix('%WORKSPACE%/service.sock') },
  { name: 'a socket by the root of a process', command: unix('/proc/1/root/%BASE%/editor.sock') },
  { name: 'an abstract socket', command: unix('\\0%NAME%-editor') },
  { name: 'an abstract socket like that of X11', command: unix('\\0/tmp/.X11-unix/%NAME%') },
  {
    name: 'the bus of the session',
    command: `DBUS_SESSION_BUS_ADDRESS=%BUS% dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames | grep -q org.freedesktop && ${say}`,
  },
  { name: 'sockets of the system', command: `find /run /var/run -type s 2>/dev/null | grep -q . && ${say}` },
  {
    name: 'folders of the system that runs',
    command: `ls -A /run /run/user 2>/dev/null | grep -q '^[^/]' && ${say}`,
  },
  {
    name: 'containers',
    command: `ls /run/docker.sock /var/run/docker.sock /run/containerd /run/podman && ${say}`,
  },
  {
    name: 'a service of systemd',
    command: `systemd-run true && ${say}; systemd-run --user true && ${say}; ls /run/systemd/private && ${say}`,
    isHarmful: true,
  },
  {
    name: 'the rights of root',
    command: `sudo -n true && ${say}; su -c true && ${say}; pkexec true && ${say}`,
    isHarmful: true,
  },
  {
    name: 'a program that starts as root',
    command: `test "$(id -u)" != 0 && test "$(./as-root -u)" = 0 && ${say}`,
  },
  {
    name: 'a program that starts as its owner, left behind',
    command: 'cp /bin/sh left; chmod 4755 left; python3 -c "import os; os.chmod(\'left\', 0o6755)"',
  },
  {
    name: 'shared memory of System V',
    prepare: perl(
      '$i = shmget(%KEY%, 200, 01600) || shmget(%KEY%, 200, 0); shmwrite($i, "%SECRET%", 0, 200)',
    ),
    command: perl('$i = shmget(%KEY%, 200, 0); shmread($i, $b, 0, 200); print $b'),
  },
  {
    name: 'messages of POSIX',
    prepare: perl(
      `$q = syscall(${callNumbers.mq_open}, t("%NAME%"), 0102, 0600, 0); syscall(${callNumbers.mq_timedsend}, $q, t("%SECRET%"), %LENGTH%, 0, t(pack("QQ", 0, 0)))`,
    ),
    command: perl(
      `$q = syscall(${callNumbers.mq_open}, t("%NAME%"), 2, 0, 0); $b = " " x 8192; syscall(${callNumbers.mq_timedreceive}, $q, $b, 8192, 0, t(pack("QQ", 0, 0))); print $b`,
    ),
  },
  { name: 'shared memory by name', command: shows('/dev/shm/%NAME%') },
];

const network: readonly WayOut[] = [
  { name: 'a server of this machine', command: tcp('127.0.0.1') },
  { name: 'a server of this machine by its other name', command: `${tcp('127.0.0.2')}; ${tcp('0.0.0.0')}` },
  {
    name: 'a server of this machine by IPv6',
    command: connects('pack_sockaddr_in6(%PORT6%, inet_pton(AF_INET6, "::1"))', 'AF_INET6'),
  },
  { name: 'a server by the address of the machine', command: tcp('%ADDRESS%') },
  {
    name: 'a datagram',
    command: perl(
      'socket($s, AF_INET, SOCK_DGRAM, 0); send($s, "x", 0, pack_sockaddr_in(%UDP%, inet_aton("127.0.0.1")))',
    ),
  },
  {
    name: 'a datagram to a name server',
    command: `dig +time=1 +tries=1 @127.0.0.1 -p %UDP% example.test; ${perl('socket($s, AF_INET, SOCK_DGRAM, 0); send($s, "x", 0, pack_sockaddr_in(%UDP%, inet_aton("%ADDRESS%")))')}`,
  },
  { name: 'interfaces of the machine', command: `grep ':' /proc/net/dev | grep -qv ' lo:' && ${say}` },
  { name: 'routes of the machine', command: `tail -n +2 /proc/net/route | grep -q . && ${say}` },
  { name: 'raw packets', command: perl('print "%WON%" if socket($s, 17, SOCK_RAW, 768)') },
  { name: 'raw internet', command: perl('print "%WON%" if socket($s, AF_INET, SOCK_RAW, 1)') },
  { name: 'the host of a virtual machine', command: perl('print "%WON%" if socket($s, 40, SOCK_STREAM, 0)') },
  {
    name: 'Bluetooth, buses and ciphers',
    command: perl(
      'for $f (29, 30, 31, 38, 42, 44) { print "%WON%" if socket($s, $f, SOCK_SEQPACKET, 0) or socket($s, $f, SOCK_RAW, 1) or socket($s, $f, SOCK_DGRAM, 0) }',
    ),
  },
  { name: 'the network of the first process', command: `nsenter --net=/proc/1/ns/net ${tcp('127.0.0.1')}` },
  { name: 'names of sockets of the machine', command: `grep -q %NAME%-editor /proc/net/unix && ${say}` },
];

/** Ways out of the sandbox without network, by the place they lead to. */
export const waysOut: Readonly<Record<string, readonly WayOut[]>> = {
  'ways to files of the user and the system': files,
  'ways to processes and open files of others': processes,
  'ways through the kernel': kernel,
  'ways to services and shared memory': services,
  'ways to the network': network,
};

/** Ways that are open by design, with the words of `docs/agent.md` about them. */
export const waysByDesign: readonly (WayOut & { readonly needsNetwork: boolean; readonly said: string })[] = [
  {
    name: 'a server of this machine',
    command: tcp('127.0.0.1'),
    needsNetwork: true,
    said: 'With network access, it reaches whatever you can reach, also services outside the sandbox: servers on this machine',
  },
  {
    name: 'an abstract socket',
    command: unix('\\0/tmp/.X11-unix/%NAME%'),
    needsNetwork: true,
    said: 'on Linux abstract sockets, where X11 (screen and keyboard) and some D-Bus buses listen',
  },
  {
    name: 'tracing its own processes',
    command: `sleep 9 & ${perl(`print "%WON%" if syscall(${callNumbers.ptrace}, 0x4206, 0 + $ARGV[0], 0, 0) == 0`)} $!`,
    needsNetwork: false,
    said: 'can trace and debug its own processes',
  },
];
