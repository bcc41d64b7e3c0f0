const SYMBOL_KEYS = ['comet', 'crown', 'clover', 'coin'] as const;

/** Text key of a row of the paytable; the rows are those of the rules. */
export function rowKey(row: string) {
  return `row.${row as 'two-coins'}` as const;
}

/** Text key of a symbol, 1 to 4. */
export function symbolKey(id: number) {
  return `symbol.${SYMBOL_KEYS[id - 1] ?? 'comet'}` as const;
}
