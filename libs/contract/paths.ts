/** Where things are, and headers: plain data, so that the browser loads no schema for it. */
export const API_BASE = '/api/v1';
/** Of the operators' API, on ADMIN_PORT. */
export const ADMIN_BASE = `${API_BASE}/admin`;
export const SOCKET_PATH = '/ws';
/** Where a gateway on the local chain passes JSON-RPC on to it. */
export const CHAIN_PATH = '/chain';

/** Header of a call that moves money; it makes a repeated call return the first answer. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Header of every answer to a command: its position in the ledger. */
export const POSITION_HEADER = 'X-Ledger-Position';
/** Headers of an export: its job, and the first and last position that the file can hold, in whose order entries come. */
export const EXPORT_JOB_HEADER = 'X-Export-Job';
export const EXPORT_RANGE_HEADER = 'X-Export-Range';
