import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a server that can be cut, as by a crash, or go silent, as a network does that swallows all that is sent. */
export interface Wire {
  readonly url: string;
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>;
  /** Drops all traffic silently: connections stay open, and new ones are accepted. */
  silence(): void;
  /**
   * Nothing arrives and nothing is closed, as between two halves of a network; `restore` delivers what waits. What connects
   * meanwhile reaches the server after that.
   */
  hold(): void;
  /** New connections get through, and what `hold` kept. Those that went silent stay so, as those that a firewall forgot. */
  restore(): Promise<void>;
}

/** Lays a wire to the host and port of `url`; its own `url` is the same but for them. */
export async function layWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const open = new Set<Socket>();
  const flows = new Map<Socket, () => void>();
  let port = 0;
  let silent = false;
  /** What happened while the wire is held; null while it is not. */
  let late: (() => void)[] | null = null;
  let server: Server | null = null;

  function join(near: Socket): void {
    if (late) {
      wait(near, late);
      return;
    }
    // Without delay: a small packet would wait 40 ms for an acknowledgement of TCP.
    const far = silent
      ? null
      : connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    const ends = far ? [near, far] : [near];
    const end = () => {
      for (const one of ends) one.destroy();
    };
    const flow = () => far?.pipe(near).pipe(far);
    for (const one of ends) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        if (late) late.push(end);
        else end();
      });
    }
    if (!far) near.resume();
    else flow();
    if (far) flows.set(near, flow);
    near.once('close', () => flows.delete(near));
  }

  /** The server is not to have connections that no client uses any more when the wire is restored. */
  function wait(near: Socket, acts: (() => void)[]): void {
    open.add(near);
    near.on('error', () => {});
    near.once('close', () => open.delete(near));
    acts.push(() => {
      if (!near.destroyed) join(near);
    });
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
    hold() {
      late = [...flows.values()];
      for (const end of open) end.unpipe().pause();
    },
    async restore() {
      silent = false;
      const kept = late ?? [];
      late = null;
      for (const act of kept) act();
      if (server) return;
      const fresh = createServer({ noDelay: true }, join);
      server = fresh;
      await new Promise<void>((resolve) => fresh.listen(port, '127.0.0.1', resolve));
      ({ port } = fresh.address() as { port: number });
    },
  };
  await wire.restore();
  return wire;
}
