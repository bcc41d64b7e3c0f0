/** The part of autocannon that is used here; the package has no types. */
declare module 'autocannon' {
  export interface Client {
    setHeaders(headers: Record<string, string>): void;
  }
  export interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
    readonly duration: number;
  }
  export interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly method: 'POST';
    readonly body: string;
    /** Requests per second over all connections; unset means unlimited. */
    readonly overallRate?: number;
    readonly setupClient?: (client: Client) => void;
  }
  // biome-ignore lint/style/noDefaultExport: it is autocannon's
  export default function autocannon(options: Options): Promise<Result>;
}
