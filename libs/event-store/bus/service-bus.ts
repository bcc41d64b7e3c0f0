import { type Bus, type BusLog, busCheck } from './bus.ts';
import { connectNats } from './nats.ts';

/**
 * The bus of a service of libs/runtime: closed with it, part of its readiness. `spare`: the service also works without
 * the bus.
 */
export async function openServiceBus(
  service: {
    readonly log: BusLog;
    readonly settings: { readonly natsUrl: string };
    add(
      name: string,
      part: {
        close(): Promise<void>;
        readonly checks: readonly (ReturnType<typeof busCheck> & { readonly spare: boolean })[];
      },
    ): void;
  },
  { spare = false }: { readonly spare?: boolean } = {},
): Promise<Bus> {
  const bus = await connectNats({ url: service.settings.natsUrl, log: service.log });
  service.add('bus', { close: () => bus.close(), checks: [{ ...busCheck(bus), spare }] });
  return bus;
}
