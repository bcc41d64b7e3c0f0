import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a server that can be cut, as by a crash, or go silent, as a network does that swallows all that is sent. */
export interface Wire {
  readonly url: string;
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>;
  /** Drops all traffic silently: connections stay open, and new ones are accepted. */
  silence(): void;
  /** New connections get through. Those that went silent stay so, as those that a firewall forgot. */
  restore(): Promise<void>;
}

/** Lays a wire to the host and port of `url`; its own `url` is the same but for them. */
export async function layWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let port = 0;
  let silent = false;
  let server: Server | null = null;

  function join(near: Socket): void {
    const ends = silent ? [near] : [near, connect(Number(target.port), target.hostname)];
    for (const end of ends) {
      open.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        for (const one of ends) one.destroy();
        open.delete(end);
      });
    }
    const [, far] = ends;
    if (far) near.pipe(far).pipe(near);
    else near.resume();
  }

  const wire: Wire = {
    get url() {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.href;
    },
    async cut() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const end of open) end.destroy();
      await closed;
      server = null;
    },
    silence() {
      silent = true;
      for (const end of open) end.unpipe().resume();
    },
    async restore() {
      silent = false;
      if (server) return;
      const fresh = createServer(join);
      server = fresh;
      await new Promise<void>((resolve) => fresh.listen(port, '127.0.0.1', resolve));
      ({ port } = fresh.address() as { port: number });
    },
  };
  await wire.restore();
  return wire;
}
