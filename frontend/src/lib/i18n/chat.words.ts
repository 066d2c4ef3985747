import { words } from './index.svelte';

export default words({
  en: {
    loadLater: 'Show later messages',
    findIn: 'Find in this conversation',
    notFound: 'Not found',
    foundAt: (n: string, of: string) => `${n} of ${of} messages`,
    previousFound: 'Earlier message with these words',
    nextFound: 'Later message with these words',
    day: 'Go to a day',
  },
  zh: {
    loadLater: '显示之后的消息',
    findIn: '在本会话中查找',
    notFound: '没有找到',
    foundAt: (n: string, of: string) => `第 ${n} 条，共 ${of} 条消息`,
    previousFound: '上一条含这些字的消息',
    nextFound: '下一条含这些字的消息',
    day: '跳到某一天',
  },
});
