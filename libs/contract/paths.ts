/** Paths and headers as constants, so that the browser loads no schemas. */
export const API_BASE = '/api/v1';
/** Base path of the operators' API, on ADMIN_PORT. */
export const ADMIN_BASE = `${API_BASE}/admin`;
export const SOCKET_PATH = '/ws';
/** Path of the JSON-RPC proxy to the local chain. */
export const CHAIN_PATH = '/chain';
/** In place of the id of a game: the rounds of all. */
export const ALL_GAMES = 'all';

/** Request header of calls that move money: repeating a call with the same key returns the first response. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
/** Added to the path of an operator's action: returns the events that it would append. */
export const DRY_RUN_PATH = '/dry-run';
/** Request header of an action: the fingerprint of its dry run. If it would append another event, it is refused. */
export const FINGERPRINT_HEADER = 'X-Dry-Run-Fingerprint';
/** Header: the position of a command, or up to which a read is complete; in a request, the highest that the client has seen. */
export const POSITION_HEADER = 'X-Ledger-Position';
/** Response headers of an export: its job, and the first and last position that the file can contain. */
export const EXPORT_JOB_HEADER = 'X-Export-Job';
export const EXPORT_RANGE_HEADER = 'X-Export-Range';
