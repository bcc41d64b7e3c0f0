/** What the pages of the APIs begin with. Line breaks are those of the page. */

import {
  ANONYMOUS_PER_ADDRESS,
  CALLS_PER_OPERATOR,
  SIGN_INS_PER_ADDRESS,
} from '@reelbook/admin/guard';
import { LOGIN_SENTENCE, LOGIN_WINDOW_MS, OPERATOR_SENTENCE } from '@reelbook/contract/login';
import {
  API_BASE,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  SOCKET_PATH,
} from '@reelbook/contract/paths';
import { SOCKET_MESSAGE_MAX_BYTES } from '@reelbook/contract/socket';
import {
  CALLS_PER_PLAYER,
  LOGINS_PER_ADDRESS,
  PUBLIC_PER_ADDRESS,
  SOCKETS_PER_ADDRESS,
} from '@reelbook/gateway/app';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';
import { count } from '@reelbook/runtime/command';

const MINUTE_MS = 60_000;

const WRITTEN = `Written by \`npm run generate\` from [libs/contract](../libs/contract). Each example was recorded from a running site, with its long
texts and lists shortened; \`services/cli/standalone/api-examples.db.test.ts\` repeats every call and compares.`;

const ENVELOPE = `**Responses.** Every response is JSON: \`{"code": 200, "message": "success", "data": ...}\`. \`code\` equals the HTTP status.

**Errors.** \`data.error\` is a stable code, \`message\` is for people, and further fields of \`data\` are its figures:

\`\`\`json
{"code": 400, "message": "bet amount below minimum: bet at least 1", "data": {"error": "bet-below-minimum", "min_stake": 1}}
\`\`\`

Status 401 means that the session has ended, and nothing else. 429 and 503 come with a \`Retry-After\` header, in seconds; a request that got
503 may have been executed: repeat it with the same \`${IDEMPOTENCY_HEADER}\`. All codes are [at the end](#errors).

**Idempotency keys.** A call with the header \`${IDEMPOTENCY_HEADER}\` (1 to 128 visible ASCII characters) is executed once. Send the key again, with the
same body, and the first response is returned; with another body it is refused with \`idempotency-key-reused\`. Store the key before you send, and
repeat until you have a response. The header \`${POSITION_HEADER}\` of a response is the position of the command in the ledger.`;

const LOGIN = (
  sentence: string,
  path: string,
) => `**Authentication.** A wallet signs the text \`${sentence}<milliseconds since 1970>\` with its ed25519 key. Send text and signature
to [\`POST ${path}\`](#post-${path.replaceAll('/', '').toLowerCase()}) within ${LOGIN_WINDOW_MS / MINUTE_MS} minutes; each signed text works once.`;

export const PLAYER_INTRODUCTION = `# Player API

HTTP under \`${API_BASE}\`, and a live channel at \`${SOCKET_PATH}\`. A running site serves the same as OpenAPI at \`/api/docs\`. The operators' API is on
[another page](api-admin.md).

${WRITTEN}

${LOGIN(LOGIN_SENTENCE, '/auth/login')} The response has a token for 24 hours; send it as \`Authorization: Bearer <token>\`.
In the examples it is \`$TOKEN\`.

${ENVELOPE}

**Units.** Amounts are JSON numbers in units, not minor units: points with at most 2 decimals, BSM (the token) with at most 9. Times are ISO 8601 in UTC.

**Lists** take \`page\` (from 1) and \`page_size\`, and return \`items\`, \`page\`, \`page_size\` and \`total\`. The newest entry is first. They are read models: an
entry appears some milliseconds after its command. Balances are always current.

**Rate limits**, a minute: ${count(CALLS_PER_PLAYER)} calls of a player; of an address ${count(LOGINS_PER_ADDRESS)} logins, ${count(PUBLIC_PER_ADDRESS)} public calls
and ${count(SOCKETS_PER_ADDRESS)} sockets. Beyond them: 429.
`;

export const ADMIN_INTRODUCTION = `# Admin API

The operators' console uses it. It is served on its own port (\`ADMIN_PORT\`), which players need not reach. The players' API is on
[another page](api.md).

${WRITTEN}

${LOGIN(OPERATOR_SENTENCE, '/auth/sign-in')} The response has a token for 8 hours; send it as
\`Authorization: Bearer <token>\`. In the examples it is \`$TOKEN\`.

**Roles.** *viewer* reads, *auditor* also audits and exports, *operator* also acts on players, payments and switches, *admin* also changes the
configuration and operators. "Who may" names the lowest role. An act takes a \`reason\` of 1 to ${REASON_MAX_LENGTH} characters and is an event in the
ledger with its operator. An act that takes two people returns a \`proposal\` number, or the status \`waiting\`.

${ENVELOPE}

**Units.** Amounts are exact: \`{"asset": "points", "minor": "1050"}\` is 10.50 points. \`minor\` counts hundredths of points or 10^-9 BSM, as decimal text.

**Lists** take \`limit\`, and \`before\` or \`after\` with the \`next\` of the previous page. \`next\` is null on the last page.

**Points in time.** \`at\`, \`from\` and \`to\` take a position or an ISO 8601 time; without them it is now.

**Rate limits**, a minute: ${count(CALLS_PER_OPERATOR)} calls of an operator; of an address ${SIGN_INS_PER_ADDRESS} sign-ins and ${ANONYMOUS_PER_ADDRESS} calls without a session. Beyond them: 429.
`;

export const SOCKET_INTRODUCTION = `## Live channel

Open \`ws://127.0.0.1:8080${SOCKET_PATH}?token=$TOKEN\` (\`wss://\` on a public site) and subscribe:

\`\`\`json
{"type": "subscribe", "data": {"channel": "user_events", "stream_version": 53}}
\`\`\`

With \`stream_version\`, the last version that the client has seen, the server first sends what came since; \`subscribed\` reports with \`resumed\` whether that
was possible. \`{"type": "ping"}\` is answered by \`pong\`. A message of a client has at most ${SOCKET_MESSAGE_MAX_BYTES} bytes; it sends at most 60 in 10 seconds. Every message
of the server has \`type\`, \`data\` and \`timestamp\`. Reconnect after any close code but \`done\` and \`deadSession\`. `;
