import { words } from './index.svelte';

export default words({
  en: { file: 'File', view: 'View', go: 'Go', help: 'Help' },
  zh: { file: '文件', view: '显示', go: '前往', help: '帮助' },
});
