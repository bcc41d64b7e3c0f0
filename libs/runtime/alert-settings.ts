import { BlockList, isIP } from 'node:net';
import { type Parser, parser } from './parsers.ts';
import { secretSetting } from './setting.ts';

const SECRET_PREFIX = 'whsec_';
/** Bounds of the Standard Webhooks specification. */
const [SECRET_BYTES_MIN, SECRET_BYTES_MAX] = [24, 64];
const URL_LENGTH_MAX = 2_000;

const PRIVATE = new BlockList();
for (const [address, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(address, bits, 'ipv4');
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');

/** A private address, localhost, or a name without a dot, as container networks use. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family > 0) return PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return !host.includes('.');
}

/** No message repeats the value: receivers put tokens in the path. */
const webhookUrl: Parser<string> = parser(
  'a URL: https://, or http:// to a private host; without user and password',
  (value) => {
    const url = value.length <= URL_LENGTH_MAX && URL.canParse(value) ? new URL(value) : null;
    const isPrivate = url?.protocol === 'http:' && isPrivateHost(url.hostname);
    if (!url || url.username || url.password || !(url.protocol === 'https:' || isPrivate)) {
      throw new Error(`must be ${webhookUrl.bound}`);
    }
    return value;
  },
);

const webhookSecret: Parser<Buffer> = parser(
  `${SECRET_PREFIX} and ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} bytes in base64`,
  (value) => {
    const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX) {
      throw new Error(`must be ${webhookSecret.bound} (openssl rand -base64 32)`);
    }
    return bytes;
  },
);

/** Settings of the alerts. */
export const alertSettings = {
  alertWebhookUrl: secretSetting(
    'ALERT_WEBHOOK_URL',
    webhookUrl,
    'receives alerts (docs/operations.md); not set: no alerts; redirects are not followed',
  ),
  alertWebhookSecret: secretSetting(
    'ALERT_WEBHOOK_SECRET',
    webhookSecret,
    'key that signs alerts; required with ALERT_WEBHOOK_URL',
  ),
} as const;

interface AlertTexts {
  readonly alertWebhookUrl: string | null;
  readonly alertWebhookSecret: Buffer | null;
}

/** Faults of the combination of both settings. */
export function alertFaults({ alertWebhookUrl: url, alertWebhookSecret: secret }: AlertTexts) {
  if ((url === null) === (secret === null)) return [];
  const of = ['alertWebhookUrl', 'alertWebhookSecret'] as const;
  return [{ of, text: 'ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET must be set together' }];
}

/** The receiver of alerts, or null if none is set. */
export function webhookOf({ alertWebhookUrl: url, alertWebhookSecret: secret }: AlertTexts) {
  return url === null || secret === null ? null : { url, secret };
}
