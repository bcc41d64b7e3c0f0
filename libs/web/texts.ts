/** Texts by namespace. Each app adds its own here by declaration, so that keys are checked in both. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the apps
export interface Texts {}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Texts;
  }
}
