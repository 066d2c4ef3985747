import { words } from './index.svelte';

/** The embedding models that are offered. */
export default words({
  en: {
    caption: 'Models that search by meaning',
    name: 'Model',
    size: 'Size',
    languages: 'Languages',
    english: 'Found, English',
    chinese: 'Found, Chinese',
    action: 'Fetch',
    installed: 'Installed',
    fetch: 'Fetch',
    fetchIt: (name: string) => `Fetch ${name}`,
    comesWith: 'Comes with Recollect',
    notMeasured: 'Not measured',
    language: (code: string): string => (code === 'zh' ? 'Chinese' : 'English'),
    comma: ', ',
    note: 'Found: share of the right memories among the first ten, measured on LoCoMo and MADial-Bench; by keywords alone it is less. `recollect eval mine` compares the installed ones on your own questions.',
  },
  zh: {
    caption: '按意思查找的模型',
    name: '模型',
    size: '大小',
    languages: '语言',
    english: '英文找回率',
    chinese: '中文找回率',
    action: '下载',
    installed: '已安装',
    fetch: '下载',
    fetchIt: (name: string) => `下载 ${name}`,
    comesWith: '随 Recollect 提供',
    notMeasured: '未测量',
    language: (code: string): string => (code === 'zh' ? '中文' : '英文'),
    comma: '、',
    note: '找回率：正确的记忆排进前十的比例，在 LoCoMo 和 MADial-Bench 上测得；只用关键词时更低。`recollect eval mine` 可用你自己的问题比较已安装的模型。',
  },
});
