/** What the pages of the APIs begin with. Line breaks are those of the page. */

import { loginSentence, operatorSentence } from '@reelbook/contract/login';
import {
  API_BASE,
  DRY_RUN_PATH,
  FINGERPRINT_HEADER,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  SOCKET_PATH,
} from '@reelbook/contract/paths';
import { SOCKET_MESSAGE_MAX_BYTES } from '@reelbook/contract/socket';
import { SIGNATURE_WINDOW_MS } from '@reelbook/ledger/player/confirmation';
import { REASON_MAX_LENGTH } from '@reelbook/ledger/text';

const MINUTE_MS = 60_000;

const WRITTEN = `\`npm run generate\` writes this page from [libs/contract](../libs/contract). The examples were recorded from a running site; long texts
and lists are shortened. \`services/cli/standalone/api-examples.slow.db.test.ts\` repeats every call and compares the results.`;

const ENVELOPE = `**Responses.** Every response is JSON: \`{"code": 200, "message": "success", "data": ...}\`. \`code\` equals the HTTP status.

**Errors.** \`data.error\` is a stable code for programs, and \`message\` a text for people. Other fields of \`data\` have details:

\`\`\`json
{"code": 400, "message": "bet amount below minimum: bet at least 1 point", "data": {"error": "bet-below-minimum", "min_stake": 1}}
\`\`\`

Status 401 always means that the session has ended. Responses with 429 and 503 have a \`Retry-After\` header, in seconds. A request with response
503 may have been executed: retry it with the same \`${IDEMPOTENCY_HEADER}\`. All codes are [at the end](#errors).

**Idempotency keys.** A call with the header \`${IDEMPOTENCY_HEADER}\` (1 to 128 visible ASCII characters) is executed once. A call with the
same key and the same body returns the first response; with another body it is refused with \`idempotency-key-reused\`. Store the key before you
send the call, and retry until you receive a response. The response header \`${POSITION_HEADER}\` is the position of the command in the ledger.

**Standby.** A site may have a standby for lists. Its reads return \`${POSITION_HEADER}\` too: the last position that the response may contain. A client that
sends the highest position it has seen as \`${POSITION_HEADER}\` (0 at first) may get lists from the standby, never without that position. A client
without this header is answered by the leader.`;

const LOGIN = (
  sentence: string,
  path: string,
) => `**Authentication.** A wallet signs the text \`${sentence}<milliseconds since 1970>\` with its ed25519 key. Send the text and the signature
to [\`POST ${path}\`](#post-${path.replaceAll('/', '').toLowerCase()}) within ${SIGNATURE_WINDOW_MS / MINUTE_MS} minutes; each signed text works once.`;

export const PLAYER_INTRODUCTION = `# Player API

The HTTP API for players under \`${API_BASE}\`, and the WebSocket API at \`${SOCKET_PATH}\`. A running site serves the OpenAPI description at \`/api/docs\`.
The operators' API is on [another page](api-admin.md).

${WRITTEN}

${LOGIN(loginSentence('<origin>'), '/auth/login')} \`origin\` and the
sentence are in [\`GET /config/system\`](#get-configsystem). [login.md](login.md) explains this text and Sign-In With Solana. The response contains a token, valid for 24 hours; send it as \`Authorization: Bearer <token>\`.
In the examples it is \`$TOKEN\`.

${ENVELOPE}

**Units.** Amounts are JSON numbers in units, not minor units: points with at most 2 decimals, BSM (the token) with at most 9. Times are ISO 8601 in UTC.

**Lists** take \`page\` (from 1) and \`page_size\`, and return \`items\`, \`page\`, \`page_size\` and \`total\`. The newest entry is first. A new entry
appears some milliseconds after its command, because lists are read models. Balances are always current.

**Rate limits** are in [limits.md](limits.md). Above a limit, the response is 429.
`;

export const ADMIN_INTRODUCTION = `# Admin API

The HTTP API of the operators' console, on a separate port (\`ADMIN_PORT\`). Do not expose this port to players. The players' API is on
[another page](api.md).

${WRITTEN}

${LOGIN(operatorSentence('<origin>'), '/auth/sign-in')} The response contains a token, valid for 8 hours; send it as
\`Authorization: Bearer <token>\`. In the examples it is \`$TOKEN\`.

**Roles.** *viewer* reads, *auditor* also audits, exports and rebuilds, *operator* also manages players, payments and switches, *admin* also changes the
configuration and the operators. "Who may" gives the lowest role. An action needs a \`reason\` of 1 to ${REASON_MAX_LENGTH} characters; the ledger records it as an
event with its operator. An action that needs two people returns a \`proposal\` number, or the status \`waiting\`.

**Dry runs.** Each action with an idempotency key is also served at its path with \`${DRY_RUN_PATH}\`: same role, same body. It returns the \`events\` that the
action would append now, and their \`fingerprint\`; nothing is appended. Send the fingerprint with the action in the header \`${FINGERPRINT_HEADER}\`: if the
action would append other events meanwhile, it is refused with \`preview-outdated\`.

${ENVELOPE}

**Units.** Amounts are exact: \`{"asset": "points", "minor": "1050"}\` is 10.50 points. \`minor\` is a decimal text in units of 1/100 point or 10^-9 BSM (the token).

**Lists** take \`limit\` and a cursor: pass \`next\` of the previous page as \`before\` or \`after\`. \`next\` is null on the last page.

**Points in time.** \`at\`, \`from\` and \`to\` take a position or an ISO 8601 time; the default is the latest position.

**Rate limits** are in [limits.md](limits.md). Above a limit, the response is 429.
`;

export const SOCKET_INTRODUCTION = `## Live channel

Open \`ws://127.0.0.1:8080${SOCKET_PATH}?token=$TOKEN\` (\`wss://\` on a public site) and subscribe:

\`\`\`json
{"type": "subscribe", "data": {"channel": "user_events", "stream_version": 53}}
\`\`\`

To resume after a lost connection, set \`stream_version\` to the last version that the client has received. The server then first sends the missed messages;
\`resumed\` in \`subscribed\` is false if it cannot. The server responds to \`{"type": "ping"}\` with \`pong\`. A client message has at most ${SOCKET_MESSAGE_MAX_BYTES} bytes; a client may
send 60 messages in 10 seconds. Every server message has \`type\`, \`data\` and \`timestamp\`. Reconnect after any close code except \`done\` and \`deadSession\`. `;
