import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { layWire, type Wire } from './wire.ts';

interface Member {
  readonly name: string;
  /** Where it listens for the others. */
  readonly port: number;
  /** Of its process now; null while it is down. */
  pid(): number | null;
}

/** Wires between the members of a cluster on this machine, one for each direction of two members. */
interface Mesh {
  /** Host and port that lead to that member; what the others are to connect to. */
  addressOf(name: string): string;
  /** Nothing arrives at it or from it. */
  cut(name: string): void;
  restore(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Who is at the other end of a connection that is none of theirs. */
const OUTSIDE = '';
const HOST = '127.0.0.1';

/** All members have the same addresses of each other, so who connects is found by the process of its socket. */
export async function layMesh(members: readonly Member[]): Promise<Mesh> {
  const wires = new Map<string, Wire>();
  const servers = new Map<string, Server>();
  const sockets = new Set<Socket>();
  for (const { name, port } of members) {
    for (const from of [...members.map((one) => one.name), OUTSIDE])
      wires.set(`${from} ${name}`, await layWire(`http://${HOST}:${port}`));
    const server = createServer({ noDelay: true }, (near) => {
      const from = members.find((one) => hasSocket(one.pid(), near))?.name ?? OUTSIDE;
      const url = new URL(wires.get(`${from} ${name}`)?.url ?? '');
      const far = connect({ port: Number(url.port), host: HOST, noDelay: true });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    servers.set(name, server);
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  }
  const wiresOf = (name: string) =>
    [...wires].flatMap(([between, wire]) => (between.split(' ').includes(name) ? [wire] : []));
  return {
    addressOf(name) {
      const { port } = (servers.get(name)?.address() ?? {}) as { readonly port?: number };
      return `${HOST}:${port}`;
    },
    cut(name) {
      for (const wire of wiresOf(name)) wire.hold();
    },
    async restore(name) {
      await Promise.all(wiresOf(name).map((wire) => wire.restore()));
    },
    async close() {
      for (const server of servers.values()) server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...wires.values()].map((wire) => wire.cut()));
    },
  };
}

const [LOCAL_AT, REMOTE_AT, INODE_AT] = [1, 2, 9];

/** Whether the other end of this connection belongs to that process. Only Linux knows; elsewhere it is of no member. */
function hasSocket(pid: number | null, { localPort, remotePort }: Socket): boolean {
  if (pid === null) return false;
  try {
    const hex = (port = 0) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    const inode = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((row) => row[LOCAL_AT] === hex(remotePort) && row[REMOTE_AT] === hex(localPort))?.[
      INODE_AT
    ];
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some(
      (name) => readlinkSync(`${folder}/${name}`) === `socket:[${inode}]`,
    );
  } catch {
    // It closed the connection, or ended, meanwhile.
    return false;
  }
}
