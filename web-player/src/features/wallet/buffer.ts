/** The chain's library needs Node's Buffer, which a browser does not have. */
import { Buffer } from 'buffer/';

const scope = globalThis as { Buffer?: unknown };
scope.Buffer ??= Buffer;
