const SYMBOL_KEYS = ['comet', 'crown', 'clover', 'coin'] as const;

/** Key of the text that names a row of the paytable; the rows are the rules' own. */
export function rowKey(row: string) {
  return `row.${row as 'two-coins'}` as const;
}

/** Key of the text that names a symbol, 1 to 4. */
export function symbolKey(id: number) {
  return `symbol.${SYMBOL_KEYS[id - 1] ?? 'comet'}` as const;
}
