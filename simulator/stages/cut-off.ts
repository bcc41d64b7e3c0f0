import { layWire, type Wire } from '@reelbook/testing/wire';

/** The settings of one service, with URLs that lead over wires of its own. */
export interface CutOff {
  readonly settings: Readonly<Record<string, string>>;
  /** Cuts it off from all that the settings name. */
  cut(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** `settings`: each names one or several servers, as `DATABASE_URL` and `NATS_URL` do. */
export async function layOwnWires(settings: Readonly<Record<string, string>>): Promise<CutOff> {
  const wires = new Map<string, Wire>();
  const own: Record<string, string> = {};
  for (const [name, text] of Object.entries(settings)) {
    own[name] = text;
    for (const host of new Set(text.match(/127\.0\.0\.1:\d+/g))) {
      const wire = wires.get(host) ?? (await layWire(`http://${host}`));
      wires.set(host, wire);
      own[name] = own[name].replaceAll(host, new URL(wire.url).host);
    }
  }
  const all = () => [...wires.values()];
  return {
    settings: own,
    cut() {
      for (const wire of all()) wire.hold();
    },
    async restore() {
      await Promise.all(all().map((wire) => wire.restore()));
    },
    async close() {
      await Promise.all(all().map((wire) => wire.cut()));
    },
  };
}
