// The words of the plan of the next request.
import { words } from './index.svelte';

export default words({
  en: {
    nextRequest: 'Next request',
    cached: (n: string) => `cached ${n}`,
    part: 'Part',
    allowed: 'Allowed',
    used: 'Used',
    parts: {
      system: 'System prompt',
      tools: 'Tools',
      core: 'Core memory',
      summary: 'Summary',
      recalled: 'Recalled',
      messages: 'Messages',
      reserve: 'Reserve for the answer',
      margin: 'Safety margin',
    },
    total: 'Total sent',
    copy: 'Copy the table',
    openPage: 'What stands in the window, and how room is made',
    exact: 'Counted with the model’s own vocabulary.',
    estimate: 'Figures with ≈ are estimates; after an answer the engine’s own count takes their place.',
    measured: (n: string, rest: string) =>
      `The engine has counted ${n} of these tokens with the last answer; ≈ ${rest} are new.`,
    inCache: (cached: string, total: string) => `${cached} of ${total} tokens are expected in the engine’s cache.`,
    room: (n: string) => `There is room for ≈ ${n} more tokens.`,
    notWhole: (used: string, wanted: string) =>
      `${used} tokens are used of the ${wanted} that are set: the model did not fit into memory with more, or the engine serves no more. When the engine is started again, all of them are tried again.`,
    over80:
      'Over 80 % of the usable window is used. Room is made soon: messages leave the window, and stay in the transcript.',
  },
  zh: {
    nextRequest: '下一次请求',
    cached: (n: string) => `已缓存 ${n}`,
    part: '部分',
    allowed: '上限',
    used: '已用',
    parts: {
      system: '系统提示',
      tools: '工具',
      core: '核心记忆',
      summary: '摘要',
      recalled: '召回',
      messages: '消息',
      reserve: '留给回答',
      margin: '安全余量',
    },
    total: '共发送',
    copy: '复制表格',
    openPage: '窗口里有什么，怎样腾出空间',
    exact: '用模型自己的词表计数。',
    estimate: '带 ≈ 的是估算值；回答之后换成引擎的实际计数。',
    measured: (n: string, rest: string) => `其中 ${n} token 已由引擎在上次回答时计过；新增约 ${rest}。`,
    inCache: (cached: string, total: string) => `预计 ${total} token 中有 ${cached} 已在引擎缓存里。`,
    room: (n: string) => `还能容纳约 ${n} token。`,
    notWhole: (used: string, wanted: string) =>
      `设置的窗口是 ${wanted} token，实际用 ${used} token：再大内存就不足，或引擎不提供。引擎重新启动后会再试设置的大小。`,
    over80: '可用窗口已用超过 80%。很快会腾出空间：有些消息会换出窗口，但仍在对话记录里。',
  },
});
