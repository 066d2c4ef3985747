// The words of the sample life.
import { words } from './index.svelte';

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export default words({
  en: {
    title: 'Sample life',
    about:
      'Sixty turns over five months of somebody who does not exist: a bicycle called Comet, a cat called Niangao, a move. With changes to memory, recalls and messages that left the window, to explore. It has an agent of its own and never mixes with your memory.',
    load: 'Load it',
    loading: 'Loading; this takes some seconds',
    loaded: 'The sample life is loaded. Its agent is called Sample.',
    open: 'Look at it',
    remove: 'Remove it',
    removing: 'Removing',
    removed: 'The sample life is gone, without a trace.',
    sure: 'Remove the sample life?',
    sureText: 'It is erased with all that was added to it. Nothing brings it back.',
    ownFirst: 'Of your own this goes too:',
    ownMessages: (n: number) => plural(n, 'message', 'messages'),
    ownBlocks: (n: number) => plural(n, 'block', 'blocks'),
    ownPassages: (n: number) => plural(n, 'passage', 'passages'),
    ownEdits: (n: number) => plural(n, 'change', 'changes'),
    keep: 'Keep it',
  },
  zh: {
    title: '示例生活',
    about:
      '一个虚构的人，五个月、六十轮对话：一辆叫彗星的自行车、一只叫年糕的猫、一次搬家。带着记忆修改、召回和移出窗口的消息，供你翻看。它有自己的智能体，不会和你的记忆混在一起。',
    load: '载入',
    loading: '正在载入，需要几秒钟',
    loaded: '示例生活已载入，它的智能体叫“示例”。',
    open: '去看看',
    remove: '删除',
    removing: '正在删除',
    removed: '示例生活已删除，不留痕迹。',
    sure: '删除示例生活？',
    sureText: '连同后来加进去的内容一起抹掉，无法恢复。',
    ownFirst: '你自己加的也会一起删除：',
    ownMessages: (n: number) => `${n} 条消息`,
    ownBlocks: (n: number) => `${n} 个记忆块`,
    ownPassages: (n: number) => `${n} 条归档`,
    ownEdits: (n: number) => `${n} 处修改`,
    keep: '保留',
  },
});
