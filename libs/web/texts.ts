/** Texts by namespace. Each app adds its own here by declaration, so that keys are checked in both. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the apps
export interface Texts {}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Texts;
  }
}

/** What the shared components say, under `common` of the default namespace. */
export const commonTexts = {
  en: {
    close: 'Close',
    dismiss: 'Dismiss',
    loading: 'Loading…',
    loadFailed: 'This could not be loaded.',
    tryAgain: 'Try again',
    unreachable: 'The server cannot be reached. Nothing is lost; try again in a moment.',
  },
  zh: {
    close: '关闭',
    dismiss: '收起',
    loading: '加载中…',
    loadFailed: '无法加载。',
    tryAgain: '重试',
    unreachable: '无法连接服务器。没有任何数据丢失，请稍后重试。',
  },
};
