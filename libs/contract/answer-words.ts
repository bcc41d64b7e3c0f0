/** What a refusal says of itself. */
export type Detail = Readonly<Record<string, string | number | bigint>>;

/** The words of an answer, or how they follow from the detail. */
export type Words = string | ((detail: Detail) => string);
