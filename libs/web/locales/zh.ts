import type { common as english } from './en.ts';

/** Texts of both apps, in Chinese. */
export const common: typeof english = {
  cancel: '取消',
  close: '关闭',
  dismiss: '收起',
  loading: '加载中…',
  loadFailed: '无法加载。',
  tryAgain: '重试',
  unreachable: '无法连接服务器。没有任何数据丢失，请稍后重试。',
  waiting: '等待中…',
  pages: '页面',
  skip: '跳到正文',
  light: '浅色',
  dark: '深色',
  lessMotion: '减少动画',
  noSuchPage: '没有这个页面',
  nothingAt: '{{path}} 处没有任何内容。',
  notLoaded: '此页面未能加载',
  broken: '此页面出错了',
  reload: '重新加载',
};
