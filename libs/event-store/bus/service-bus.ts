import { type Bus, type BusLog, busCheck } from './bus.ts';
import { connectNats } from './nats.ts';

/**
 * The bus of a service of libs/runtime: closed with it, asked by its readiness. `optional`: the service does its work without
 * the bus as well.
 */
export async function openServiceBus(
  service: {
    readonly log: BusLog;
    readonly settings: { readonly natsUrl: string };
    add(
      name: string,
      part: {
        close(): Promise<void>;
        readonly checks: readonly (ReturnType<typeof busCheck> & { readonly optional: boolean })[];
      },
    ): void;
  },
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<Bus> {
  const bus = await connectNats({ url: service.settings.natsUrl, log: service.log });
  service.add('bus', { close: () => bus.close(), checks: [{ ...busCheck(bus), optional }] });
  return bus;
}
