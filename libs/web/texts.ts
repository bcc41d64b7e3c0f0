/** Texts by namespace. Each app declares its own here, so that keys are type-checked in both. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the apps
export interface Texts {}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Texts;
  }
}
