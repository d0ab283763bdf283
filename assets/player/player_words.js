// What the player says, and how long its slides are read.

const WORDS = {
  en: {
    play: "Play", pause: "Pause", first: "First (Home)", last: "Last (End)", next: "Next (→ or Page Down)",
    back: "Back (← or Page Up)", speed: "Speed", script: "Text", theme: "Light or dark", full: "Full screen",
    keys: "← → step · space plays · Home End · T text · F full screen", kg: "Knowledge graph", tree: "Search tree",
    beam: "Paths by depth", question: "question", answer: "answer path", turned: "turned back", value: "value",
    corrected: "corrected", wrong: "wrong",
    at: "Moments of the run", emptyKg: "The graph appears here.", emptyTree: "The search tree appears here.",
    in: "Zoom in", out: "Zoom out", fit: "Fit to view", follow: "Follow the current node", view: "View",
    count: (slide, i, n, isOffline) => {
      const triples = `${slide.triples} ${slide.triples === 1 ? "triple" : "triples"}`;
      const calls = `${isOffline ? "matcher call" : "model request"}${slide.calls === 1 ? "" : "s"}`;
      return `${i} / ${n} · ${triples} · ${slide.calls} ${calls}`;
    },
  },
  zh: {
    play: "播放", pause: "暂停", first: "开头（Home）", last: "结尾（End）", next: "下一步（→ 或 Page Down）",
    back: "上一步（← 或 Page Up）", speed: "速度", script: "文字", theme: "浅色或深色", full: "全屏",
    keys: "← → 逐步 · 空格播放 · Home End · T 文字 · F 全屏", kg: "知识图谱", tree: "搜索树",
    beam: "各层路径", question: "问题", answer: "答案路径", turned: "折回", value: "评分",
    corrected: "已更正", wrong: "有误",
    at: "运行的各个时刻", emptyKg: "图谱将在此显示。", emptyTree: "搜索树将在此显示。",
    in: "放大", out: "缩小", fit: "适合窗口", follow: "跟随当前节点", view: "视图",
    count: (slide, i, n, isOffline) =>
      `${i} / ${n} · ${slide.triples} 条三元组 · ${slide.calls} 次${isOffline ? "匹配器调用" : "模型请求"}`,
  },
};

// How long a slide stands at speed 1: a moment to see it, and as long as its text takes to read.
const [LEAST_MS, MOST_MS, SEE_MS, READ_MS] = [2000, 4000, 1100, 22];
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/gu; // one says as much as WIDTH letters
const WIDTH = 2.5;

const lettersOf = (text) => text.length + (WIDTH - 1) * (text.match(WIDE)?.length ?? 0);

// The time to read a slide, in milliseconds; the small print is skimmed.
function readingTime(slide) {
  const time = SEE_MS + READ_MS * (lettersOf(slide.text) + lettersOf(slide.detail) / 2);
  return Math.min(MOST_MS, Math.max(LEAST_MS, time));
}

