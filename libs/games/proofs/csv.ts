/** Spreadsheets execute a cell that begins like this as a formula, some also in full width or after blanks. */
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠−﹢﹣﹦﹫]|^[\t\r\n]/u;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Spreadsheets read a CSV as UTF-8 only with this byte order mark before its first row. */
export const CSV_START = '\uFEFF';

type Cells = readonly (string | number | null | undefined)[];

export const csvFile = (rows: readonly Cells[]): string => CSV_START + rows.map(csvRow).join('');

/**
 * One row of a CSV (RFC 4180), with its line end. A text that a spreadsheet would execute as a formula gets a leading
 * apostrophe, which spreadsheets do not show.
 */
export function csvRow(cells: Cells): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
