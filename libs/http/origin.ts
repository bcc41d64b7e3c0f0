/** The origin of a site in the address bar of browsers, which texts to sign name. */
export interface PublicOrigin {
  read(): string;
  /** Completes the default origin: with PORT=0 the port is known only after listening. */
  listensOn(url: string): void;
}

/** `origin` is the configured one; without it http://localhost and the port that is listened on. */
export function openOrigin({
  origin: configured = null,
  port,
}: {
  readonly origin?: string | null | undefined;
  readonly port: number;
}): PublicOrigin {
  const localhost = (listened: string | number) => new URL(`http://localhost:${listened}`).origin;
  let origin = configured ?? localhost(port);
  return {
    read: () => origin,
    listensOn(url) {
      if (configured === null) origin = localhost(new URL(url).port);
    },
  };
}
