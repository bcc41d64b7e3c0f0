/** The start and end of a typed name: `AbCd…WxYz`, as wallets are abbreviated, or a start alone. */
export function partOf(typed: string): { readonly start: string; readonly end: string } {
  const [start = '', end = ''] = typed.trim().split(/\s*(?:…|\.{2,})\s*/);
  return { start, end };
}
