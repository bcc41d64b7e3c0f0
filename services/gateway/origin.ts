import type { GatewaySettings } from './context.ts';

/** The origin that players see in the address bar of their browsers, and that texts to sign name. */
export interface PublicOrigin {
  read(): string;
  /** Completes the default origin: with PORT=0 the port is known only after listening. */
  listensOn(url: string): void;
}

export function openOrigin({
  publicOrigin = null,
  port,
}: Pick<GatewaySettings, 'publicOrigin' | 'port'>): PublicOrigin {
  const localhost = (listened: string | number) => new URL(`http://localhost:${listened}`).origin;
  let origin = publicOrigin ?? localhost(port);
  return {
    read: () => origin,
    listensOn(url) {
      if (publicOrigin === null) origin = localhost(new URL(url).port);
    },
  };
}
