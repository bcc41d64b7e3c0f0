/** The chain's library reads bytes with Node's class, which a browser does not have. */
import { Buffer } from 'buffer/';

const scope = globalThis as { Buffer?: unknown };
scope.Buffer ??= Buffer;
