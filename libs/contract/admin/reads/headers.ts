/** Headers of an export's answer. Plain data, so that the browser does not load the schemas for it. */
export const EXPORT_JOB_HEADER = 'X-Export-Job';
/** First and last position that the file can hold: entries come in their order, so a reader knows how far it is. */
export const EXPORT_RANGE_HEADER = 'X-Export-Range';
