import { words } from './index.svelte';

export default words({
  en: {
    placeholder: 'An action, a place, a conversation, a block …',
    results: 'Found',
    nothing: 'Nothing is called that.',
    count: (n: string, one: boolean) => `${n} ${one ? 'entry' : 'entries'}`,
    action: 'Action',
    conversation: 'Conversation',
    message: 'Message',
    blockOf: (agents: string) => (agents ? `Block of ${agents}` : 'Block'),
    agent: 'Agent',
    or: 'or',
  },
  zh: {
    placeholder: '操作、位置、会话、记忆块……',
    results: '查找结果',
    nothing: '没有叫这个名字的。',
    count: (n: string) => `${n} 项`,
    action: '操作',
    conversation: '会话',
    message: '消息',
    blockOf: (agents: string) => (agents ? `${agents} 的记忆块` : '记忆块'),
    agent: '智能体',
    or: '或',
  },
});
