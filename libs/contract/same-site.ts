const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether two origins are one site. On the loopback interface all names and ports are: in development the page may be open
 * under another name, through a tunnel or from another gateway.
 */
export function isSameSite(origin: string, other: string): boolean {
  return origin === other || (isLoopback(origin) && isLoopback(other));
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
}
